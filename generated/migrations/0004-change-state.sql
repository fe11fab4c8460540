-- Migration 0004 of model/metadata.xml, made once by `gable generate`: yours to complete before it is applied, and never to be changed after.
-- step 1 expand, in one transaction: ACCESS EXCLUSIVE on "#change_state", for a moment
alter table "#change_state" add column "#merged" bigint not null default 0;
alter table "#change_state" add column "#swept" bigint not null default 0;
