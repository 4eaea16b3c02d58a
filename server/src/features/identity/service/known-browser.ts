import { newToken, sha256 } from '../../../platform/crypto/secrets.ts';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { countEvent, eventsIn } from '../../../platform/http/throttle.ts';
import { newId } from '../../../platform/ids.ts';
import { knownBrowserLifetimeMs, knownBrowserMembers } from '../domain.ts';
import { findKnownBrowser, insertKnownBrowser, replaceKnownBrowser } from '../store/known-browsers.ts';
import type { IdentityContext, IdentityCore } from './dependencies.ts';

/**
 * Browsers in which a member has signed in before, by an HttpOnly cookie (docs/adr/0046). The cookie opens nothing: strangers'
 * failures do not slow its member down, and a laissezPasser counts only beside it.
 */

/** One cookie holds a token for each of the people who share the browser, separated by points. */
function cookieName({ site }: IdentityCore): string {
  return site.origin.startsWith('https:') ? '__Host-causeway-browser' : 'causeway-browser';
}

function tokensOf(context: IdentityContext): string[] {
  const tokens = (context.cookies?.read(cookieName(context)) ?? '').split('.');
  return tokens.filter((token) => /^[\w-]{43}$/.test(token)).slice(0, knownBrowserMembers);
}

/** The id of this browser if this member has signed in here before. Takes as long for no member. */
export async function findBrowser(tx: Tx, context: IdentityContext, userId: string): Promise<string | null> {
  const known = await findKnownBrowser(tx, userId, tokensOf(context).map(sha256));
  return known?.id ?? null;
}

/** The counter of what has failed in a known browser. */
export function browserBucket(browserId: string): string {
  return `login:browser:${browserId}`;
}

/** Counts a try in a known browser; false when there were too many, and it counts as a stranger for a while. */
export async function countBrowserTry(tx: PlatformTx, core: IdentityCore, browserId: string): Promise<boolean> {
  const { loginBrowser, loginWindowMs } = core.limits;
  return (await countEvent(tx, browserBucket(browserId), loginWindowMs)) <= loginBrowser;
}

export async function isBrowserTrusted(tx: PlatformTx, core: IdentityCore, browserId: string): Promise<boolean> {
  return (await eventsIn(tx, browserBucket(browserId))) < core.limits.loginBrowser;
}

/** Makes the browser of a completed sign-in known to its member, under a new token. @returns its id */
export async function rememberBrowser(
  tx: Tx,
  context: IdentityContext,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<string> {
  const tokens = tokensOf(context);
  const known = await findKnownBrowser(tx, userId, tokens.map(sha256));
  const token = newToken();
  const kept = { id: known?.id ?? newId(), userId, sessionId, tokenSha256: sha256(token) };
  if (known) await replaceKnownBrowser(tx, kept);
  else await insertKnownBrowser(tx, kept);
  const others = tokens.filter((one) => !known?.tokenSha256.equals(sha256(one)));
  const value = [token, ...others].slice(0, knownBrowserMembers).join('.');
  context.cookies?.write(cookieName(context), value, knownBrowserLifetimeMs);
  return kept.id;
}
