-- What both databases of the club begin with: three teams, thirty tasks, and all that hangs on them.
truncate "Team", "Room", "Safe", "Task", "Step", "Mark", "Person", "Photo", "Settings", "#Person_Teams", "#stream";
insert into "Team" ("#id", "Id", "Public") values (1, 'a', true), (2, 'b', false), (3, 'c', true), (4, 'd', true);
insert into "Room" ("#id", "#in.Team", "No", "Name", "Closed")
  select n, 1 + n % 4, 1 + n / 4, 'room ' || n, n % 3 = 0 from generate_series(1, 12) n;
insert into "Safe" ("#id", "#in.Team", "Code") select n, n, 'code ' || n from generate_series(1, 4) n;
insert into "Person" ("#id", "Name", "Mail", "Away", "#Den") values
  (1, 'anna', 'anna@x', false, 4), (2, 'carl', 'carl@x', true, 2), (3, 'dora', 'dora@x', false, 5), (4, 'ed', 'ed@x', true, 6), (5, 'fay', null, false, 1);
insert into "#Person_Teams" ("#source", "#target") select p, t from generate_series(1, 5) p, generate_series(1, 4) t where (p + t) % 3 > 0;
insert into "Task" ("#id", "#type", "Id", "Title", "State", "Owner", "TeamId", "NextId", "#Helper", "Where", "Tags", "Miles", "#open")
  select n, case n % 5 when 0 then 'Club.Errand' else 'Club.Task' end, n, 'paint ' || n, (array['draft', 'open', 'done'])[1 + n % 3], (array['anna', 'carl', null, 'anna'])[1 + n % 4],
    (array['a', 'b', 'c', 'd'])[1 + n / 2 % 4], nullif(n % 30 + 1, n), 1 + n % 5, jsonb_build_object('City', 'Oslo', 'Floor', n % 4), array['t' || n % 3], case n % 5 when 0 then n end, jsonb_build_object('Note', 'n' || n)
  from generate_series(1, 30) n;
insert into "Step" ("#id", "Id", "Text", "#Task") select n, n, 'step ' || n, n from generate_series(1, 20) n;
insert into "Mark" ("#id", "Kind", "No", "Text", "Owner", "#Task") select n, (array['a', 'b', 'c"d''e'])[1 + n % 3], n / 3, 'mark ' || n, (array['anna', 'carl', null])[1 + n % 3], 1 + n % 10 from generate_series(1, 12) n;
insert into "Photo" ("#id", "Id", "Title", "Secret") select n, n, 'photo ' || n, n % 2 = 0 from generate_series(1, 6) n;
insert into "Settings" ("Theme", "Private") values ('plain', false);
