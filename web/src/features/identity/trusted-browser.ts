import { remember, remembered } from '../../lib/storage.ts';

const storageKey = 'laissez-passer';
/** People who share a browser; the least recent sign-in is forgotten first. */
const most = 5;

type Passes = [email: string, pass: string][];

/** The pass with which this browser may leave out the verification step for a person, if it was given one. */
export function laissezPasserFor(email: string): string | undefined {
  return passes().find(([owner]) => owner === nameOf(email))?.[1];
}

/** Keeps a pass for a person in this browser; how long it holds is the server's business (30 days). */
export function keepLaissezPasser(email: string, pass: string): void {
  const others = passes().filter(([owner]) => owner !== nameOf(email));
  remember(storageKey, JSON.stringify([[nameOf(email), pass], ...others].slice(0, most)));
}

function nameOf(email: string): string {
  return email.trim().toLowerCase();
}

function passes(): Passes {
  try {
    const stored: unknown = JSON.parse(remembered(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPass) : [];
  } catch {
    return [];
  }
}

function isPass(entry: unknown): entry is Passes[number] {
  return Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string');
}
