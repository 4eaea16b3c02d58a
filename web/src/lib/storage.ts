/** What could not be stored, for as long as the page is open. */
const unstored = new Map<string, string>();

/**
 * What this browser remembers. Reading and writing never throw: private windows and full disks cost the memory of a
 * choice once the page is closed, and nothing before.
 */
export function remembered(key: string): string | null {
  const own = unstored.get(key);
  if (own !== undefined) return own;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores `value` under `key`, or forgets the key when the value is null. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    unstored.delete(key);
  } catch {
    if (value === null) unstored.delete(key);
    else unstored.set(key, value);
  }
}

/** What every draft of a form is kept under, for as long as its tab is open; then the form's name. */
export const draftPrefix = 'form:';

/** Whose the drafts of this tab are. */
const draftsOwnerKey = 'drafts-of';

/**
 * Says who works in this tab from now on (null: not known). Drafts that outlived their session are restored for the user who
 * wrote them, and gone for anybody else.
 */
export function claimDrafts(owner: string | null): void {
  try {
    if (sessionStorage.getItem(draftsOwnerKey) === owner) return;
    forgetDrafts();
    if (owner !== null) sessionStorage.setItem(draftsOwnerKey, owner);
  } catch {
    // Nothing is kept then.
  }
}

/** Forgets the drafts of all forms: the next user of this tab is another one. */
export function forgetDrafts(): void {
  try {
    sessionStorage.removeItem(draftsOwnerKey);
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(draftPrefix)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept then.
  }
}
