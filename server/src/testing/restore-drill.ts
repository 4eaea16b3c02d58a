import { sql } from 'kysely';
import { getAddress } from 'viem';
import { expect } from 'vitest';
import type { EvmGateway, Signer } from '../features/chains/index.ts';
import { runCommand } from '../features/operator/command-line.ts';
import { createTransferSubject } from '../features/transfers/index.ts';
import { newId } from '../platform/ids.ts';
import { chainFamilies } from './chain-families.ts';
import {
  approvalOf,
  approvedTransfer,
  decided,
  registeredCompany,
  subjectOf,
  transactions,
} from './chain-transfers.ts';
import { type ChainWorld, type Company, depth } from './chain-world.ts';
import { dying, Killed } from './dying.ts';

/** Brings a transfer to a named step, and does what the operator does after a restore (docs/OPERATIONS.md). */

/** Where a backup finds a transfer.  */
export const steps = [
  'waiting for its approval',
  'approved, its event not read',
  'approved',
  'signing, without gas',
  'signing, its advance signed and not stored',
  'signing, without a nonce',
  'signing, with a nonce',
  'signed, not stored',
  'stored, not broadcast',
  'broadcast',
  'replaced by a dearer attempt',
  'mined, not seen',
  'confirming',
  'completed',
] as const;
export type Step = (typeof steps)[number];

/** Steps at which the company has never had an advance for network fees. */
export const withoutGas: readonly Step[] = ['signing, without gas', 'signing, its advance signed and not stored'];

/** What the drill itself knows of a payment; the chain is asked about nothing else. */
export interface Payment {
  id: string;
  company: Company;
  payee: `0x${string}`;
  amountMinor: bigint;
}

let payees = 0;
/** A payment to an address that no other payment pays. */
export function newPayment(company: Company, id = newId()): Payment {
  payees += 1;
  const payee = getAddress(`0x${(0xe0_de00_0000 + payees).toString(16).padStart(40, '0')}`);
  return { id, company, payee, amountMinor: 2_000_000n + BigInt(payees) };
}

export interface Drill {
  world: ChainWorld;
  /** A company with money, known to the operator by its name. */
  company(): Promise<Company>;
  submit(payment: Payment): Promise<void>;
  /** Brings a payment to a step. */
  bring(payment: Payment, step: Step): Promise<void>;
  /** Goes on from whatever step until the payment has completed. */
  finish(payment: Payment): Promise<void>;
  /** Raises the fee of what no block has yet. */
  replace(): Promise<void>;
  /** Blocks, reading, jobs and tending, so many rounds. */
  rounds(count: number): Promise<void>;
  /** One command of the operator's. */
  run(...args: string[]): Promise<unknown>;
  /** The conditions of a release that are not met. */
  missing(): Promise<string[]>;
  /** How many transactions of our addresses are in blocks. */
  sent(companies: readonly Company[]): Promise<number>;
}

const approver = newId();
const waits = new Map<string, { taskId: string }>();

/** `submit`: how a payment is submitted; by default as the HTTP process leaves one behind. */
export function createDrill(
  world: ChainWorld,
  submit: Drill['submit'] = (payment) => submitted(world, payment),
): Drill {
  const drill: Drill = {
    world,
    company: () => registeredCompany(world, '500'),
    submit,
    bring: (payment, step) => bring(drill, payment, step),
    async finish(payment) {
      await approve(world, payment);
      await queue(world, payment);
      for (let left = 8 * depth; left > 0; left -= 1) {
        if ((await statusOf(world, payment)) === 'completed') return;
        await drill.rounds(1);
      }
      const { status, stage, failureReason } = (await rowOf(world, payment)) ?? {};
      throw new Error(`the payment stays at ${status} ${stage} ${failureReason}`);
    },
    replace: () => world.tend({ stuckAfterMs: 0, rebroadcastAfterMs: 3_600_000 }),
    async rounds(count) {
      for (let left = count; left > 0; left -= 1) {
        await world.work().catch(() => undefined);
        await world.tend();
        await world.chain.engine.mine(1);
        await world.follow();
        await world.compare();
      }
    },
    async run(...args) {
      const context = {
        database: world.db.operator,
        operator: 'jo',
        families: chainFamilies,
        gateways: [world.gateway],
      };
      return JSON.parse(await runCommand(context, [...args, '--json'], async () => context));
    },
    async missing() {
      const lines = (await drill.run('restore', 'status')) as { condition: string; met: boolean | null }[];
      return lines.slice(1).flatMap(({ condition, met }) => (met === false ? [condition] : []));
    },
    async sent(companies) {
      const head = await world.gateway.head();
      const addresses = [world.gasTank, ...companies.map(({ address }) => address)];
      const counts = await Promise.all(addresses.map((address) => world.gateway.minedNonce(address, head)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
  return drill;
}

async function submitted(world: ChainWorld, { company, payee, amountMinor, id }: Payment): Promise<void> {
  await approvedTransfer(world, company, { coin: 'USDT', amountMinor, payee, id });
}

async function rowOf(world: ChainWorld, { company, id }: Payment) {
  return (await transactions(world, company)).find((row) => row.id === id);
}

export async function statusOf(world: ChainWorld, payment: Payment): Promise<string | undefined> {
  return (await rowOf(world, payment))?.status;
}

/** The last approval of a payment that waits for one. */
async function approve(world: ChainWorld, { company, id }: Payment): Promise<void> {
  const wait = waits.get(id);
  if (!wait || (await rowOf(world, { company, id } as Payment))?.stage !== 'waiting_approval') return;
  const { digest } = await subjectOf(world, company, id);
  const subject = { companyId: company.id, taskId: wait.taskId, transferId: id, digest };
  await decided(world, company, approvalOf(subject, approver));
  await world.db.app.withCompany(company.id, async (tx) => {
    await sql`update approval_task set status = 'approved', ended_as = 'approved', finished_at = now()
      where company_id = company_id() and id = ${wait.taskId}`.execute(tx);
    await createTransferSubject(chainFamilies).approved(tx, id);
  });
}

/** A job whose worker died is given to another. */
async function queue(world: ChainWorld, { company, id }: Payment): Promise<void> {
  await world.db.worker.withCompany(company.id, (tx) =>
    sql`insert into outbox (company_id, id, name, payload)
      values (company_id(), ${newId()}, 'outgoing.resumed', ${JSON.stringify({ transactionId: id })})`.execute(tx),
  );
}

async function bring(drill: Drill, payment: Payment, step: Step): Promise<void> {
  const { world } = drill;
  const { company, payee, amountMinor, id } = payment;
  const killed = (parts: { gateway?: EvmGateway; signer?: Signer }) =>
    world.work(parts).then(
      () => Promise.reject(new Error(`nothing was killed at "${step}"`)),
      (error: unknown) => (error instanceof Killed ? undefined : Promise.reject(error)),
    );
  if (step === 'waiting for its approval') {
    const taskId = newId();
    waits.set(id, { taskId });
    const nodes = [{ needed: 1, people: [approver], roles: [] }];
    const review = { taskId, ruleId: newId(), ruleVersion: 1, nodes };
    await approvedTransfer(world, company, { coin: 'USDT', amountMinor, payee, id, review, stage: 'waiting_approval' });
    return;
  }
  await drill.submit(payment);
  if (step === 'approved, its event not read') return;
  if (step === 'approved') {
    await world.asSuperuser('delete from causeway.outbox');
    return;
  }
  const { gateway } = world;
  if (step === 'signing, without gas') return killed({ gateway: dying(gateway, 'estimateGas', 'before') });
  if (step === 'signing, its advance signed and not stored') return killed({ signer: dyingAt(world, 'gas', 'after') });
  if (step === 'signing, without a nonce') return killed({ gateway: dying(gateway, 'estimateGas', 'before') });
  if (step === 'signing, with a nonce') return killed({ signer: dyingAt(world, 'transfer', 'before') });
  if (step === 'signed, not stored') return killed({ signer: dyingAt(world, 'transfer', 'after') });
  if (step === 'stored, not broadcast') return killed({ gateway: dying(gateway, 'broadcast', 'before') });
  await world.work();
  if (step === 'broadcast') return;
  if (step === 'replaced by a dearer attempt') return drill.replace();
  await world.chain.engine.mine(1);
  if (step === 'mined, not seen') return;
  await world.follow();
  if (step === 'confirming') return;
  await drill.rounds(depth + 1);
}

/** A signer that dies with the first request of a kind. */
function dyingAt(world: ChainWorld, kind: 'transfer' | 'gas', moment: 'before' | 'after'): Signer {
  const mortal = dying(world.signer, 'sign', moment);
  return { sign: (request) => (request.kind === kind ? mortal : world.signer).sign(request) };
}

/** Judged by the chain: every payee has its money once. */
export async function expectPaidOnce(world: ChainWorld, payments: readonly Payment[]): Promise<void> {
  const held = await Promise.all(payments.map(({ payee }) => world.chain.treasury.balance('USDT', payee)));
  expect(held.map((amount) => BigInt(Math.round(Number(amount) * 1e6)))).toEqual(
    payments.map(({ amountMinor }) => amountMinor),
  );
}

/** Runs rounds until the operator may release; fails with the conditions that are not met. */
export async function untilReady(drill: Drill): Promise<void> {
  for (let left = 4; left > 0; left -= 1) {
    await drill.rounds(depth + 1);
    if ((await drill.missing()).length === 0) return;
  }
  expect(await drill.run('restore', 'status')).toEqual('every condition met');
}

/** Has every payment of a company that no transfer explains booked; returns how many there were. */
export async function bookUnexplained(drill: Drill): Promise<number> {
  const rows = (await drill.run('payments', 'unexplained')) as {
    id: string;
    company: string;
    decision: string | null;
  }[];
  const open = rows.filter(({ company, decision }) => company !== 'the gas tank' && decision === null);
  for (const { id } of open) await drill.run('payments', 'book', id, '--reason', 'paid before the restore');
  return open.length;
}
