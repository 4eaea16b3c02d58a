-- The first instant of a day in a zone. Where clocks go back over midnight it comes twice, and PostgreSQL would read it as the second, an hour into the day;
-- where they go forward over it, it is the first instant after the gap.
create function causeway.day_begins(p_day date, p_zone text) returns timestamptz
  language sql stable parallel safe
  return p_day::timestamp at time zone p_zone
    - case when ((p_day::timestamp at time zone p_zone - interval '1 hour') at time zone p_zone)::date = p_day then interval '1 hour' else interval '0' end;
