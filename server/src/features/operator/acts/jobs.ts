import type { ProposalKind } from '@causeway/contract/operator-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import { nilCompany } from '../../identity/index.ts';
import { actConfirmed } from './events.ts';
import { type Act, type ActRow, endDone, endRefused, findAct, lockPending, markLogged } from './store.ts';

/**
 * How the worker carries out one kind of act. Its changes and the act's end are one transaction, so that an act is done once,
 * whenever the worker is killed.
 */
export interface ActHandler<Prepared = unknown> {
  /** Asks the outside world, with no transaction open. It may run again, so it changes nothing. */
  prepare?(act: Act): Promise<Prepared>;
  /**
   * Does it, in a transaction of the act's company, and writes what it did to the company's log. It looks again at all that it rests on.
   * @returns what it made, kept with the act @throws DomainError that refuses it for good; any other error is tried again
   */
  perform(tx: Tx, act: Act, prepared: Prepared): Promise<Record<string, unknown>>;
}

// biome-ignore lint/suspicious/noExplicitAny: each handler is given what its own `prepare` returned.
export type ActHandlers = Readonly<Partial<Record<ProposalKind, ActHandler<any>>>>;

/** The job that carries out what two operators have agreed on. */
export function actJobs(handlers: ActHandlers): JobDefinition[] {
  return [
    {
      name: 'operator.act',
      on: [actConfirmed],
      async run({ database }, { proposalId }) {
        invariant(typeof proposalId === 'string', 'the event names its proposal');
        const act = await database.withoutCompany((tx) => findAct(tx, proposalId));
        invariant(act, 'an event names an act');
        if (act.state === 'pending') await carryOut(database, act, handlers);
        await log(database, act);
      },
    },
  ];
}

async function carryOut(database: Database, act: ActRow, handlers: ActHandlers): Promise<void> {
  const handler = handlers[act.kind];
  invariant(handler, `the worker knows how to do ${act.kind}`);
  const { proposalId } = act;
  try {
    const prepared: unknown = await handler.prepare?.(act);
    await database.withCompany(act.companyId, async (tx) => {
      if (!(await lockPending(tx, proposalId))) return;
      await endDone(tx, proposalId, await handler.perform(tx, act, prepared));
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await database.withoutCompany((tx) => endRefused(tx, proposalId, error));
  }
}

async function log(database: Database, { proposalId, kind, subjectId, subjectName, confirmedBy }: Act): Promise<void> {
  await database.withCompany(nilCompany, async (tx) => {
    const end = await markLogged(tx, proposalId);
    if (end === null) return;
    await audit(tx, {
      actor: { kind: 'operator', id: confirmedBy },
      action: end === 'done' ? 'proposal.done' : 'proposal.refused',
      subjectKind: 'proposal',
      subjectId: proposalId,
      detail: { kind, name: subjectName, concerns: subjectId },
    });
  });
}
