import { getUser } from '@causeway/contract/identity.ts';
import * as staff from '@causeway/contract/operator.ts';
import * as freezing from '@causeway/contract/operator-freezing.ts';
import { expect } from 'vitest';
import { actJobs } from '../features/operator/acts/jobs.ts';
import { freezingActs } from '../features/operator/freezing/acts.ts';
import { testDatabase } from './database.ts';
import { type Member, mainApp, type Tenant } from './main-app.ts';
import { operatorApp } from './operator-app.ts';

/** Both processes on one database, with two operators who freeze and unfreeze, and the worker's part of it. */

export interface Subject {
  kind: 'company' | 'wallet' | 'member';
  subjectId: string;
}
export type FreezingWorld = Awaited<ReturnType<typeof freezingWorld>>;

export const companyOf = (owner: Tenant): Subject => ({ kind: 'company', subjectId: owner.id });

/** `rowsAtOnce`: as of `mainApp`. */
export async function freezingWorld({ rowsAtOnce }: { rowsAtOnce?: number } = {}) {
  const db = await testDatabase();
  const main = await mainApp(db, undefined, rowsAtOnce === undefined ? {} : { rowsAtOnce });
  const world = await operatorApp(db);
  const tenant = await main.company('Far Voyage');
  const [compliance, colleague] = [await world.operator('compliance'), await world.operator('administrator')];

  const freeze = (subject: Subject, { owner = tenant, ...body }: { owner?: Tenant } & Record<string, unknown> = {}) =>
    world.ask(freezing.freezeSubject, {
      as: compliance,
      params: { id: owner.id },
      body: { ...subject, reason: 'compromise', note: 'seen in the logs of the night', ...body },
    });

  async function propose(subject: Subject, owner = tenant): Promise<string> {
    const request = { as: compliance, params: { id: owner.id }, body: { ...subject, reason: 'cleared up' } };
    const answer = await world.ask(freezing.proposeUnfreeze, request);
    expect(answer.key).toBeNull();
    return answer.data?.proposalId ?? '';
  }

  async function confirming(id: string, as = colleague) {
    const { data } = await world.ask(staff.getProposal, { as, params: { id } });
    return { as, params: { id }, body: { digest: data?.digest, code: world.code(as.secret) } };
  }

  /** Carries the act out, as the worker does. */
  async function work(proposalId: string): Promise<void> {
    const [job] = actJobs(freezingActs);
    await job?.run({ database: db.worker, companyId: tenant.id } as never, { proposalId });
  }

  async function unfreeze(subject: Subject, owner = tenant): Promise<void> {
    const id = await propose(subject, owner);
    expect((await world.ask(staff.confirmProposal, await confirming(id))).status).toBe(200);
    await work(id);
  }

  /** What the member reads of their company's freeze. */
  const shownTo = async (as: Member, language = 'en-us') =>
    (await main.ask(getUser, { as, headers: { 'accept-language': language } })).data?.companyFrozen;

  async function close(): Promise<void> {
    expect(main.complaints).toEqual([]);
    expect(world.complaints).toEqual([]);
    await world.close();
    await main.close();
    await db.close();
  }
  return {
    db,
    main,
    world,
    tenant,
    compliance,
    colleague,
    freeze,
    propose,
    confirming,
    work,
    unfreeze,
    shownTo,
    close,
  };
}
