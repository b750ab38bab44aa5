export const fleet = {
  alone: 'This warden is alone',
  aloneHint:
    'Several wardens in front of the same engines can share where conversations live. Set WARDEN_SHARED=redis://host:6379 on each of them (Valkey or Redis); docs/fleet.md tells how.',
  wardens: 'Wardens',
  wardensNote: '{count, plural, one {# warden shares} other {# wardens share}} one memory',
  memoryUp: 'Shared memory is up',
  memoryAway: 'Shared memory is away',
  memoryAwayHint:
    'Every warden goes on with what it knows; new conversations are placed by their hash, so that all place them alike. What the others have in flight is not counted meanwhile.',
  warden: 'Warden',
  thisOne: 'this one',
  version: 'Version',
  started: 'Started',
  inFlight: 'In flight',
  held: 'Held',
  placedHere: 'Live sessions',
  placedHereUnit: 'placed there first',
  total: 'All wardens',
  replicas: 'Requests in flight',
  replicasNote: 'by replica: this warden’s own count, and what the others last told',
  model: 'Model',
  replica: 'Replica',
  here: 'This warden',
  elsewhere: 'Other wardens',
  together: 'Together',
  whose: 'Whose numbers are these?',
  whoseOwn:
    'Requests, Stats, decisions and times are this warden’s own: what it has routed and stored itself. Sessions, live sessions and what fits the caches include what the others told of (in fleets of up to 16). For the history of the whole fleet use Prometheus; deploy/ has the scrape configuration and a board.',
  whoseFleet:
    'Homes, the settings of affinity, threshold and cache-fit, drained replicas and the line of held turns are the fleet’s: a change on one warden holds on all. Running, waiting and KV usage are the engine’s, whoever sent the requests.',
  accessShared:
    'API keys, people and sign-ins are the fleet’s: whoever signs in on one warden is signed in on all. The audit list and what each key used are this warden’s own.',
  accessOwn:
    'API keys and people are this warden’s own: a key made here is not known to the others. Set WARDEN_SHARED_SECRET to the same secret at all wardens, and they are shared.',
  keysShared:
    'These keys hold on every warden of the fleet. A limit counts over all of them, what came to the others up to a quarter of a second late: a burst that comes to several at once may exceed it by that much. While the shared memory is away each warden gives its share of a limit. When a key was last used, and what it used, is what this warden served.',
} as const;
