-- Mails and texts. The body may hold a code, so it is sealed, and dropped once it has been handed over.
create table messages (
  id           uuid primary key,
  cause        text not null unique,
  channel      text not null check (channel in ('email', 'sms')),
  recipient    text not null,
  sealed_body  text,
  created_at   timestamptz not null,
  sent_at      timestamptz,
  check ((sealed_body is null) = (sent_at is not null))
);
create index messages_waiting on messages (created_at) where sent_at is null;
comment on table messages is 'global: mails and texts to people, one per cause';

-- The built-in mailbox, used where no mail server is configured.
create table mailbox (
  id          uuid primary key,
  channel     text not null check (channel in ('email', 'sms')),
  recipient   text not null,
  subject     text not null,
  text_body   text not null,
  html_body   text not null,
  attachments jsonb not null default '[]',
  created_at  timestamptz not null
);
create index mailbox_by_recipient on mailbox (lower(recipient), created_at desc);
comment on table mailbox is 'global: what would have been sent, where no mail server is configured';
