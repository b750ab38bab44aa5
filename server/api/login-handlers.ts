import { passwordProblem } from '#lib/access/password-hash.ts';
import { sessionCookie } from '#lib/access/session-cookie.ts';
import type { Person } from '#lib/access/types.ts';
import { firstRunRequest, loginRequest, passwordRequest, type SessionState } from '#lib/contract/access.ts';
import { ENVIRONMENT_ADMIN } from '#server/access/access.ts';
import { SESSION_SECONDS } from '#server/access/console-sessions.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { ApiContext } from './context.ts';
import type { ApiCall } from './handlers.ts';
import { readJson } from './read-json.ts';

/** So many passwords may wait to be compared; more at once is no person. */
const MAX_WAITING = 20;

export async function getLogin({ context, caller }: ApiCall): Promise<SessionState> {
  const person = caller.kind === 'person' ? context.access.people.byId(caller.id) : null;
  return stateOf(context, person, caller.kind === 'local');
}

/** Signs in. Whether it was the name or the password that was wrong is not told. */
export async function postLogin(call: ApiCall): Promise<SessionState> {
  const { access } = call.context;
  const { name, password } = await readJson(call.req, loginRequest);
  if (access.mode() !== 'password') {
    throw new ProblemError(409, 'No login', 'Nobody needs to sign in here, or nobody can yet.');
  }
  await throttle(call);
  const person = access.people.byName(name);
  if (!(await access.passwords.matches(password, person?.passwordHash ?? null)) || person === null) {
    await refusedLogin(call, name);
    throw new ProblemError(401, 'Not signed in', 'The name or the password is wrong.', 'password');
  }
  await access.throttle.succeeded(access.connectionOf(call.req).address);
  return enter(call, person);
}

/** Makes the first admin, for whoever has the link that was printed at the start. */
export async function postFirstRun(call: ApiCall): Promise<SessionState> {
  const { access } = call.context;
  const { token, name, password } = await readJson(call.req, firstRunRequest);
  if (access.mode() !== 'first_run') throw new ProblemError(409, 'Not the first run', 'There is an admin already.');
  await throttle(call);
  if (!access.firstRun.isGood(token)) {
    throw new ProblemError(
      403,
      'Link not valid',
      'The link is not the one printed at the last start, or is over an hour old.',
      'token',
    );
  }
  refuseBadPassword(password);
  access.firstRun.use();
  const person = await access.people.add(name, 'admin', password);
  return enter(call, person);
}

/** Signs out: the session is over on the server, whoever else has its cookie. */
export async function deleteLogin(call: ApiCall): Promise<SessionState> {
  const { caller, context } = call;
  if (caller.kind === 'person') {
    await context.access.sessions.end(caller.tokenHash);
    call.note({ subject: caller.name });
  }
  setCookie(call, null);
  return stateOf(context, null, false);
}

/** One's own password; all other sessions of the person end. */
export async function patchPassword(call: ApiCall): Promise<SessionState> {
  const { caller, context } = call;
  const { access } = context;
  const person = caller.kind === 'person' ? access.people.byId(caller.id) : null;
  if (caller.kind !== 'person' || person === null) throw new ProblemError(409, 'Not signed in', 'Nobody is signed in.');
  const { current, password } = await readJson(call.req, passwordRequest);
  await throttle(call);
  if (!(await access.passwords.matches(current, person.passwordHash))) {
    throw new ProblemError(403, 'Wrong password', 'The current password is another one.', 'current');
  }
  await access.throttle.succeeded(access.connectionOf(call.req).address);
  refuseFixedPassword(context, person);
  refuseBadPassword(password);
  const changed = await access.people.setPassword(person, password);
  await access.sessions.endAll(changed, caller.tokenHash);
  call.note({ subject: person.name });
  return stateOf(context, changed, false);
}

export function refuseBadPassword(password: string): void {
  const problem = passwordProblem(password);
  if (problem !== null) throw new ProblemError(400, 'Password not taken', `The password ${problem}.`, 'password');
}

export function refuseFixedPassword(context: ApiContext, person: Person): void {
  if (!isFixed(context, person)) return;
  const detail = 'WARDEN_ADMIN_PASSWORD sets this password at each start; change it there.';
  throw new ProblemError(409, 'Password set elsewhere', detail, 'password');
}

export function isFixed({ access }: ApiContext, { name }: Person): boolean {
  return access.settings.adminPassword !== null && name === ENVIRONMENT_ADMIN;
}

async function enter(call: ApiCall, person: Person): Promise<SessionState> {
  const token = await call.context.access.sessions.begin(person);
  setCookie(call, token);
  call.note({ subject: person.name, actor: person.name, role: person.role });
  return stateOf(call.context, person, false);
}

async function refusedLogin({ context, req }: ApiCall, name: string): Promise<void> {
  const { access } = context;
  // What is nobody's name may be a password that was typed into the wrong field.
  const subject = access.people.byName(name)?.name ?? null;
  const { address } = access.connectionOf(req);
  const nobody = { actor: 'anonymous', role: 'none', before: null, after: null };
  await access.audit({ ...nobody, address, action: 'session.refuse', subject });
}

async function throttle({ context, req, res }: ApiCall): Promise<void> {
  const { access } = context;
  const seconds =
    access.passwords.waiting() >= MAX_WAITING ? 5 : await access.throttle.attempt(access.connectionOf(req).address);
  if (seconds === null) return;
  res.setHeader('retry-after', String(seconds));
  const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  throw new ProblemError(429, 'Too many attempts', `There were too many attempts to sign in. Try again in ${wait}.`);
}

function setCookie({ context, req, res }: ApiCall, token: string | null): void {
  const { isTls } = context.access.connectionOf(req);
  res.setHeader('set-cookie', sessionCookie(token, isTls, SESSION_SECONDS));
}

function stateOf(context: ApiContext, person: Person | null, isLocal: boolean): SessionState {
  return {
    mode: context.access.mode(),
    role: isLocal ? 'admin' : (person?.role ?? null),
    name: person?.name ?? null,
    password_is_fixed: person !== null && isFixed(context, person),
  };
}
