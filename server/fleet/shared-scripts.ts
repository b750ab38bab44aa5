import { script } from './shared-connection.ts';

/*
 * What has to happen in one step at the server. Counts are set, never added to: a report that is sent twice, or after a
 * gap, is as good as one. Times are the server's own, so that clocks which differ do no harm.
 */

/** KEYS all, of. ARGV replica, count. Gives the sum over all wardens. */
export const REPORT_LOAD = script(`
local before = tonumber(redis.call('HGET', KEYS[2], ARGV[1])) or 0
local count = tonumber(ARGV[2])
if count == 0 then redis.call('HDEL', KEYS[2], ARGV[1]) else redis.call('HSET', KEYS[2], ARGV[1], count) end
local sum = redis.call('HINCRBY', KEYS[1], ARGV[1], count - before)
if sum <= 0 then redis.call('HDEL', KEYS[1], ARGV[1]) end
return sum`);

/** KEYS all, of. ARGV replica, count, replica, count, …: all that this warden has, instead of what was known of it. */
export const RESET_LOAD = script(`
local known = redis.call('HGETALL', KEYS[2])
for i = 1, #known, 2 do
  if redis.call('HINCRBY', KEYS[1], known[i], -tonumber(known[i + 1])) <= 0 then redis.call('HDEL', KEYS[1], known[i]) end
end
redis.call('DEL', KEYS[2])
for i = 1, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
  redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1`);

/**
 * KEYS members. ARGV warden, ms of silence after which one is dead. Gives 1 where this one was known (0: it was taken
 * for dead, or is new), then the dead, then the time in ms.
 */
export const BEAT = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], now, ARGV[1])
local dead = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[2]))
return {known and 1 or 0, dead, now}`);

/** KEYS home. ARGV the home as it was read, the new one, seconds. Gives the home that is in force afterwards. */
export const REPLACE_HOME = script(`
local current = redis.call('GET', KEYS[1])
if current and current ~= ARGV[1] then return current end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return ARGV[2]`);

/**
 * KEYS hash. ARGV field, its text as it was read (empty: none), the new one, the field that counts changes, seconds. Gives
 * 1 where it was written, else 0 and the text that is there.
 */
export const SWAP_FIELD = script(`
local current = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if current ~= ARGV[2] then return {0, current} end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HINCRBY', KEYS[1], ARGV[4], 1)
redis.call('EXPIRE', KEYS[1], ARGV[5])
return {1}`);
