-- Migration 0003 of model/metadata.xml, made once by `gable generate`: yours to complete before it is applied, and never to be changed after.
-- step 1 expand, in one transaction: no lock that anyone waits for
create table "#change_state" ("#one" boolean not null default true, "#floor" bigint not null default 0, "#horizon" bigint not null default 0, "#timeline" text collate "C", constraint "#change_state#one" primary key ("#one"), constraint "#change_state#only" check ("#one"));
insert into "#change_state" default values;
