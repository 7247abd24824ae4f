-- A balance counts its moves in 64 bits; events tell of its version too.
alter table events alter column object_version type bigint;
comment on column events.version is 'of the form of data, by type';
comment on column events.object_version is 'which version of the object it tells of; null where objects of its kind have none, and before this was told';
