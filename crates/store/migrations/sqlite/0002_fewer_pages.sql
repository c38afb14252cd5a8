-- Every index is another page to write, and to sync, for each session with each commit. Records lie in
-- order by themselves: events are found by halving, and what is no event by reading along.
DROP INDEX record_seq;
DROP INDEX record_not_event;
