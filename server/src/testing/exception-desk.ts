import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { proposeException } from '@causeway/contract/operator-exceptions.ts';
import type { ExceptionAct } from '@causeway/contract/operator-exceptions-rules.ts';
import { sql } from 'kysely';
import { actJobs, exceptionActHandlers } from '../features/operator/index.ts';
import type { SendingDependencies } from '../features/rails/index.ts';
import type { TestDatabase } from './database.ts';
import { type OperatorApp, operatorApp, type TestOperator } from './operator-app.ts';
import { present } from './present.ts';

type Parts = SendingDependencies;

/** A world of one chain, of whatever family. */
interface DeskWorld {
  db: TestDatabase;
  parts(): Parts;
}

/** Two operators at the console of a chain's world, and the worker that does what they agree on when a test says so. */
export interface ExceptionDesk {
  app: OperatorApp;
  one: TestOperator;
  two: TestOperator;
  propose(act: ExceptionAct, subjectId: string, more?: object): ReturnType<typeof ask>;
  confirm(proposalId: string): Promise<{ status: number; key: string | null }>;
  /** Proposed by one, confirmed by the other. @returns the proposal's id */
  agree(act: ExceptionAct, subjectId: string, more?: object): Promise<string>;
  /** The worker's job of a confirmed proposal, once; with other parts, a worker that fails. */
  carryOut(proposalId: string, parts?: Partial<Parts>): Promise<void>;
  /** What became of it. */
  end(proposalId: string): Promise<{ state: string; refusal: string | null } | null>;
  /** The id of the company's one unexplained payment that is open. */
  unexplainedOf(companyId: string): Promise<string>;
  close(): Promise<void>;
}

const reason = 'Agreed with the company by phone';

export async function exceptionDesk(world: DeskWorld): Promise<ExceptionDesk> {
  const app = await operatorApp(world.db);
  const [one, two] = [await app.operator('treasury'), await app.operator('support')];
  const propose: ExceptionDesk['propose'] = (act, subjectId, more = {}) => ask(app, one, act, subjectId, more);
  const confirm: ExceptionDesk['confirm'] = async (id) => {
    const { digest } = (await app.ask(getProposal, { as: two, params: { id } })).data;
    const body = { digest, code: app.code(two.secret) };
    const { status, key } = await app.ask(confirmProposal, { as: two, params: { id }, body });
    // The desk says when the worker comes to it, and not the world's other jobs.
    await world.db.worker.withoutCompany((tx) =>
      sql`delete from outbox where name = 'operator.actConfirmed'`.execute(tx),
    );
    return { status, key };
  };
  return {
    app,
    one,
    two,
    propose,
    confirm,
    async agree(act, subjectId, more) {
      const answer = await propose(act, subjectId, more);
      if (answer.status !== 200)
        throw new Error(`${act} is not possible: ${answer.key} ${JSON.stringify(answer.errors)}`);
      const { proposalId } = answer.data;
      const confirmed = await confirm(proposalId);
      if (confirmed.status !== 200) throw new Error(`${act} was not confirmed: ${confirmed.key}`);
      return proposalId;
    },
    async carryOut(proposalId, parts = {}) {
      const deps = { ...world.parts(), ...parts };
      const [job] = actJobs(exceptionActHandlers(deps));
      await present(job).run({ companyId: '', database: deps.database, log: deps.log }, { proposalId });
    },
    async end(proposalId) {
      const { act } = (await app.ask(getProposal, { as: one, params: { id: proposalId } })).data;
      return act && { state: act.state, refusal: act.refusal };
    },
    async unexplainedOf(companyId) {
      const { rows } = await world.db.operator.withoutCompany((tx) =>
        sql<{
          id: string;
        }>`select id from unexplained_payment where company_id = ${companyId} and state = 'open'`.execute(tx),
      );
      return present(rows[0]).id;
    },
    close: () => app.close(),
  };
}

function ask(app: OperatorApp, as: TestOperator, act: ExceptionAct, subjectId: string, more: object) {
  return app.ask(proposeException, { as, body: { act, subjectId, reason, ...more } });
}
