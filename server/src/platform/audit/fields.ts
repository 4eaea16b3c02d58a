/** The kinds of fields that an event's detail has, and how each is put into words (`words.ts`). */

export type Field =
  /**
   * Recorded as people read it: names, addresses, numbers, their own words. `id`: the field beside it that has the id of what is
   * named, since system roles have a name in each language.
   */
  | { is: 'plain'; id?: string }
  /** A decimal amount in whole units. */
  | { is: 'amount' }
  /** An instant, ISO 8601. */
  | { is: 'instant' }
  /** A setting that is on or off. */
  | { is: 'switch' }
  /** Something that is so or not. */
  | { is: 'truth' }
  /** One or several of the program's words, whose texts are `<under><value>`; without `under`, `audit.value.<field>.<value>`. */
  | { is: 'word'; values: readonly string[]; under?: string }
  /** A text's id, or a person's own sentence. */
  | { is: 'sentence' }
  /** The id of what has a name. Left out where the field `beside` it has the name as it was recorded. */
  | { is: 'named'; beside?: string }
  /** A digest: proof for an auditor who compares it, noise in a line. */
  | { is: 'digest' }
  /** For the verifiable export alone: it refers to a row that has no name. */
  | { is: 'reference' };

/** Fields by name; those of a list's items are named as if there were one, and `before` and `after` are not named. */
export interface Fields {
  readonly [name: string]: Field | Fields;
}

export const plain: Field = { is: 'plain' };

export function nameOfId(id: string): Field {
  return { is: 'plain', id };
}

export const amount: Field = { is: 'amount' };
export const instant: Field = { is: 'instant' };
export const onOrOff: Field = { is: 'switch' };
export const truth: Field = { is: 'truth' };
export const sentence: Field = { is: 'sentence' };
export const named: Field = { is: 'named' };
export const digest: Field = { is: 'digest' };
export const reference: Field = { is: 'reference' };

export function namedBeside(beside: string): Field {
  return { is: 'named', beside };
}

export function word(values: readonly string[], under?: string): Field {
  return under === undefined ? { is: 'word', values } : { is: 'word', values, under };
}

export function isField(value: Field | Fields): value is Field {
  return 'is' in value && typeof value['is'] === 'string';
}

/** The field at a path of a detail, indexes of lists among its parts; undefined where none is declared. */
export function fieldAt(fields: Fields, path: readonly string[]): Field | undefined {
  let found: Field | Fields | undefined = fields;
  for (const part of path) {
    if (/^\d+$/.test(part)) continue;
    if (found === undefined || isField(found)) return undefined;
    found = found[part];
  }
  return found !== undefined && isField(found) ? found : undefined;
}

/** By which proofs a person confirms. */
export const proofs = ['email', 'otp_auth', 'recovery', 'passkey', 'laissezPasser'];
export const proof: Fields = { proof: word(proofs) };
