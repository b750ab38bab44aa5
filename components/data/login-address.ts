const LOGIN = '/login';

/** The login page's address, from which one comes back to where one was. */
export function loginAddress(from: { readonly pathname: string; readonly search: string }): string {
  const here = from.pathname + from.search;
  return here === '/' ? LOGIN : `${LOGIN}?next=${encodeURIComponent(here)}`;
}

/** Where to go after signing in: a page of this console and nothing else, whatever the address says. */
export function pageAfterLogin(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '/';
  const isOwn = /^\/(?![/\\])/.test(next) && !/[\\\s]/.test(next) && !next.startsWith(LOGIN);
  return isOwn ? next : '/';
}

let isSigningOut = false;

/** While a person signs out, calls that are refused meanwhile lead nowhere: who signs out is not to come back here. */
export function setSigningOut(is: boolean): void {
  isSigningOut = is;
}

/** A call was refused because nobody is signed in (any more): to the login page, once. */
export function goToLogin(): void {
  if (!isSigningOut && location.pathname !== LOGIN) location.assign(loginAddress(location));
}
