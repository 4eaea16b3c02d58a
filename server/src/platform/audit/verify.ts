import * as z from 'zod';
import { canonical, chainStart, isGenuine, keyIdOf, linkHash } from './chain.ts';

/**
 * Judges an exported audit log off-line: no database, no network. Every line must be as it was written, every event must
 * follow from the one before, and a signature must cover the last; the first thing that does not hold is named.
 */

/** The file's version, in its first line. */
export const exportFormat = 'causeway-audit/1' as const;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const place = z.number().int().min(1);
const signed = { seq: place, hash, at: z.string(), keyId: z.string(), signature: z.string() };
const checkpointLine = z.strictObject({ type: z.literal('checkpoint'), ...signed });
const headerLine = z.strictObject({
  type: z.literal('header'),
  format: z.literal(exportFormat),
  company: z.uuid(),
  companyName: z.string(),
  exportedAt: z.string(),
  fromSeq: place,
  toSeq: place,
  /** The hash before the first event. */
  startHash: hash,
  keys: z.array(z.strictObject({ keyId: z.string(), publicKey: z.string() })),
});
const eventLine = z.strictObject({
  type: z.literal('event'),
  seq: place,
  hash,
  event: z.strictObject({
    company: z.string(),
    seq: place,
    id: z.string(),
    time: z.string(),
    actor: z.strictObject({ kind: z.string(), id: z.string() }),
    action: z.string(),
    subject: z.strictObject({ kind: z.string(), id: z.string() }),
    detail: z.unknown(),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
  }),
});
const trailerLine = z.strictObject({
  type: z.literal('trailer'),
  company: z.uuid(),
  events: z.number().int().min(1),
  checkpoint: z.strictObject(signed),
});
const line = z.discriminatedUnion('type', [headerLine, eventLine, checkpointLine, trailerLine]);

export type ExportLine = z.output<typeof line>;
type Header = z.output<typeof headerLine>;
type EventLine = z.output<typeof eventLine>;
type Signed = z.output<typeof trailerLine>['checkpoint'];

export type Verdict =
  | { whole: true; company: string; fromSeq: number; toSeq: number; signedAt: string; publicKey: string }
  | { whole: false; line: number; seq: number | null; problem: string };

class Broken extends Error {
  readonly seq: number | null;

  constructor(problem: string, seq: number | null = null) {
    super(problem);
    this.seq = seq;
  }
}

function holds(condition: unknown, problem: string, seq: number | null = null): asserts condition {
  if (!condition) throw new Broken(problem, seq);
}

/**
 * @param lines the file's lines, without their ends
 * @param trustedKey the public key known from elsewhere (base64url); without it the file's own keys are believed, which
 * shows damage and not forgery
 */
export async function verifyExport(lines: AsyncIterable<string>, trustedKey: string | null): Promise<Verdict> {
  const state = new Verification(trustedKey);
  let number = 0;
  try {
    for await (const text of lines) {
      number += 1;
      state.read(text);
    }
    return state.end();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { whole: false, line: number, seq: error.seq, problem: error.message };
  }
}

/** The file so far. */
class Verification {
  readonly #trustedKey: string | null;
  readonly #keys = new Map<string, Buffer>();
  #header: Header | null = null;
  #seq = 0;
  #hash = chainStart;
  #trailer: Signed | null = null;

  constructor(trustedKey: string | null) {
    this.#trustedKey = trustedKey;
  }

  read(text: string): void {
    holds(this.#trailer === null, 'something follows the trailer');
    const parsed = parse(text);
    if (!this.#header) {
      holds(parsed.type === 'header', 'the file does not begin with its header');
      this.#begin(parsed);
    } else if (parsed.type === 'event') this.#follow(parsed, this.#header);
    else if (parsed.type === 'checkpoint') this.#check(parsed, this.#header);
    else if (parsed.type === 'trailer') {
      holds(parsed.company === this.#header.company, 'the trailer is of another company');
      holds(
        this.#seq === this.#header.toSeq,
        `events are missing: the header says up to ${this.#header.toSeq}`,
        this.#seq,
      );
      holds(parsed.events === this.#seq - this.#header.fromSeq + 1, 'the trailer counts other events', this.#seq);
      this.#check(parsed.checkpoint, this.#header);
      this.#trailer = parsed.checkpoint;
    } else throw new Broken('a second header');
  }

  end(): Verdict {
    holds(this.#header, 'the file is empty');
    holds(this.#trailer, 'the file ends without its trailer: what came after this is missing', this.#seq);
    const { company, fromSeq, toSeq } = this.#header;
    const publicKey = this.#keys.get(this.#trailer.keyId)?.toString('base64url') ?? '';
    return { whole: true, company, fromSeq, toSeq, signedAt: this.#trailer.at, publicKey };
  }

  #begin(header: Header): void {
    for (const { keyId, publicKey } of header.keys) {
      const bytes = Buffer.from(publicKey, 'base64url');
      holds(bytes.length === 32 && keyIdOf(bytes) === keyId, `key ${keyId} is not what its name says`);
      if (this.#trustedKey === null || publicKey === this.#trustedKey) this.#keys.set(keyId, bytes);
    }
    holds(header.toSeq >= header.fromSeq, 'the file holds no events');
    const startHash = Buffer.from(header.startHash, 'hex');
    holds(header.fromSeq > 1 || startHash.equals(chainStart), 'a chain does not begin like this', 1);
    this.#header = header;
    this.#seq = header.fromSeq - 1;
    this.#hash = startHash;
  }

  #follow({ seq, hash: said, event }: EventLine, header: Header): void {
    const expected = this.#seq + 1;
    holds(seq === expected, `event ${expected} is expected here, and ${seq} stands here`, expected);
    holds(event.seq === seq && event.company === header.company, 'the event belongs elsewhere', seq);
    const computed = linkHash(this.#hash, event);
    holds(
      computed.toString('hex') === said,
      'the event is not what was sealed, or does not follow the one before',
      seq,
    );
    this.#seq = seq;
    this.#hash = computed;
  }

  #check(checkpoint: Signed, { company }: Header): void {
    const { seq, hash: said, at, keyId } = checkpoint;
    holds(seq === this.#seq, `the checkpoint is of event ${seq}, not of ${this.#seq}`, this.#seq);
    const key = this.#keys.get(keyId);
    holds(key, `the checkpoint is signed with key ${keyId}, which is not the trusted one`, seq);
    const signature = Buffer.from(checkpoint.signature, 'base64url');
    const genuine = isGenuine(key, { company, seq, hash: this.#hash.toString('hex'), at }, signature);
    holds(
      genuine && said === this.#hash.toString('hex'),
      'the signature does not cover this chain: it was computed anew, or is of another',
      seq,
    );
  }
}

function parse(text: string): ExportLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Broken('the line is not JSON');
  }
  const parsed = line.safeParse(value);
  holds(parsed.success, 'the line is none of an audit log');
  // A line that reads one way to a person and another to a program (a name twice, say) was not written by the export.
  holds(canonical(value) === text, 'the line is not as it was exported', 'seq' in parsed.data ? parsed.data.seq : null);
  return parsed.data;
}
