-- Migration 0005 of model/metadata.xml, made once by `gable generate`: yours to complete before it is applied, and never to be changed after.
-- step 1 expand, outside of a transaction: SHARE UPDATE EXCLUSIVE on "#changes" while the index is built; rows can be read and written
drop index concurrently if exists "#changes#record#next";
create index concurrently "#changes#record#next" on "#changes" ("#key", "#id");

-- step 2 expand, in one transaction: ACCESS EXCLUSIVE on "#changes", for a moment
drop index if exists "#changes#record";
alter index "#changes#record#next" rename to "#changes#record";
