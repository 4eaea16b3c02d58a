import { createHash, verify } from 'node:crypto';
import * as z from 'zod';
import { canonical, publicKeyOf } from '../audit/chain.ts';

/** A report of solvency and the files made of it: their form, their digest, and what the signer signs. */

export const reportFormat = 'causeway-solvency/1' as const;

const minor = z.string().regex(/^(0|[1-9]\d{0,77})$/);
const signedMinor = z.string().regex(/^(0|-?[1-9]\d{0,77})$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const day = z.iso.date();
const assetId = z.string().regex(/^[A-Z][A-Z0-9]{1,9}$/);

/** How a chain's balances became known: from its nodes at the block, or from a later block and the movements that are recorded since. */
export const holdingSources = ['nodes', 'movements', 'none'] as const;
export type HoldingSource = (typeof holdingSources)[number];

export const statementForm = z.strictObject({
  format: z.literal(reportFormat),
  /** The day that ended at the midnight (UTC), and the midnight itself. */
  day,
  at: z.iso.datetime(),
  companies: z.number().int().min(0),
  assets: z.array(
    z.strictObject({
      asset: assetId,
      decimals: z.number().int().min(0).max(18),
      /** What companies were owed, minor units as all of these; the sum of the tree. */
      owed: minor,
      /** Part of it: what is kept at banks, which no chain can show. */
      atBanks: minor,
      /** Held for companies at banks, as these stated it; null while banks are not compared. Reports without it are of before it was named. */
      heldAtBanks: minor.nullable().optional(),
      /** At the companies' addresses and in the treasury, over all chains. */
      held: minor,
      /** Part of it: in the treasury, from which bought coins are settled. Reports without it are of before there was one. */
      treasury: minor.optional(),
      /** Part of that: fees and advances for network fees, the operator's own. */
      own: minor,
      /** Part of it, signed: what the books had on the other side of the midnight. */
      timing: signedMinor,
      /** As `differenceOf`. */
      difference: signedMinor,
      /** In the gas tank, the operator's own, and in none of the above. */
      tank: minor,
    }),
  ),
  chains: z.array(
    z.strictObject({
      chain: z.string(),
      /** The last block before the midnight; null where the chain had none. */
      block: z.strictObject({ height: z.number().int().min(0), hash: z.string(), time: z.iso.datetime() }).nullable(),
      source: z.enum(holdingSources),
      held: z.array(z.strictObject({ asset: assetId, minor })),
    }),
  ),
  /** Of the tree of what companies are owed. */
  root: hash,
  /** SHA-256 of the canonical list of addresses with what they held, and of that of `timing`. */
  holdings: hash,
  timing: hash,
  /** The digest of the report of the day before; null in the first. */
  previous: hash.nullable(),
});
export type Statement = z.output<typeof statementForm>;

export const signedForm = z.strictObject({
  digest: hash,
  /** By the signer's clock, ISO 8601 in UTC with milliseconds. */
  at: z.string(),
  keyId: z.string(),
  publicKey: z.string(),
  signature: z.string(),
});
export type Signed = z.output<typeof signedForm>;

const salt = hash;
const leaf = z.strictObject({ company: z.uuid(), salt, sums: z.record(assetId, minor) });

/** What a company downloads: its own leaf and the way to the root. */
export const companyFile = z.strictObject({
  type: z.literal('company'),
  statement: statementForm,
  signed: signedForm,
  leaf: leaf.extend({ position: z.number().int().min(0) }),
  path: z.array(z.strictObject({ hash, sums: z.array(minor) })),
});
export type CompanyFile = z.input<typeof companyFile>;

export const holdingForm = z.strictObject({
  chain: z.string(),
  address: z.string(),
  asset: assetId,
  minor,
  owner: z.enum(['company', 'treasury', 'operator']),
});
export const timingForm = z.strictObject({
  chain: z.string(),
  company: z.uuid(),
  posting: z.uuid(),
  kind: z.string(),
  source: z.uuid(),
  asset: assetId,
  minor: signedMinor,
  block: z.number().int(),
  postedAt: z.iso.datetime(),
});
export type Holding = z.output<typeof holdingForm>;
export type Timing = z.output<typeof timingForm>;

/** The operator's copy: everything that the report was made of. */
export const fullFile = z.strictObject({
  type: z.literal('full'),
  statement: statementForm,
  signed: signedForm,
  /** In the order of the tree. */
  leaves: z.array(leaf),
  holdings: z.array(holdingForm),
  timing: z.array(timingForm),
});
export type FullFile = z.input<typeof fullFile>;

export const proofFile = z.discriminatedUnion('type', [companyFile, fullFile]);

/** SHA-256 of a value's canonical JSON, hexadecimal. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** The bytes that are signed; the first line keeps them apart from anything else the key signs. */
export function reportMessage({ day, digest, at }: { day: string; digest: string; at: string }): Buffer {
  return Buffer.from(`causeway-solvency-report/1\n${day}\n${digest}\n${at}\n`);
}

/** Whether a report was signed with this key (Ed25519, RFC 8032). */
export function isSignedBy(publicKey: Buffer, day: string, { digest, at, signature }: Signed): boolean {
  const message = reportMessage({ day, digest, at });
  return verify(null, message, publicKeyOf(publicKey), Buffer.from(signature, 'base64url'));
}

/** What is held more than is owed, signed. Money at banks is on neither side until the banks' statements are compared. */
export function differenceOf(
  figures: Pick<Statement['assets'][number], 'owed' | 'atBanks' | 'heldAtBanks' | 'held' | 'own' | 'timing'>,
): bigint {
  const { owed, atBanks, heldAtBanks, held, own, timing } = figures;
  const onChains = BigInt(held) - BigInt(own) - BigInt(timing) - (BigInt(owed) - BigInt(atBanks));
  return heldAtBanks == null ? onChains : onChains + BigInt(heldAtBanks) - BigInt(atBanks);
}

/** What of a statement contradicts itself; null where nothing does. */
export function contradictionIn(statement: Statement): string | null {
  if (statement.at !== midnightAfter(statement.day).toISOString())
    return 'its time is not the midnight that ends its day';
  const ids = statement.assets.map(({ asset }) => asset);
  if (ids.some((id, index) => index > 0 && (ids[index - 1] ?? '') >= id)) return 'its assets are not in their order';
  for (const { asset, ...figures } of statement.assets) {
    const { owed, atBanks, held, treasury = '0', difference } = figures;
    if (BigInt(difference) !== differenceOf(figures)) return `the difference of ${asset} is not what its figures make`;
    if (BigInt(atBanks) > BigInt(owed)) return `more ${asset} is owed at banks than is owed`;
    if (BigInt(treasury) > BigInt(held)) return `more ${asset} is in the treasury than is held`;
    const onChains = statement.chains.flatMap((chain) => chain.held.filter((each) => each.asset === asset));
    const sum = onChains.reduce((total, each) => total + BigInt(each.minor), 0n);
    if (sum !== BigInt(held)) return `what chains hold of ${asset} does not add up`;
  }
  const unknown = statement.chains.flatMap(({ held }) => held).find(({ asset }) => !ids.includes(asset));
  return unknown ? `${unknown.asset} is held and not among its assets` : null;
}

/** The midnight (UTC) that ends a day. */
export function midnightAfter(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000);
}

/** The day that ended at the last midnight (UTC). */
export function lastDayBefore(now: Date): string {
  return dayOf(now.getTime() - 86_400_000);
}

export function nextDay(day: string): string {
  return dayOf(midnightAfter(day).getTime());
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
