-- Uses are told by events and counted by a consumer of them. What was noted before is counted here.
update items i set use_count = i.use_count + u.uses, last_used_at = greatest(i.last_used_at, u.used_at)
  from (select organisation_id, mode, item_id, sum(uses) as uses, max(used_at) as used_at from item_uses group by 1, 2, 3) as u
 where i.organisation_id = u.organisation_id and i.mode = u.mode and i.id = u.item_id;
-- why: every row of it was counted above
drop table item_uses;
