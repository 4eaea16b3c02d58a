import type { CompaniesTx } from '../../../platform/database/database.ts';
import { announceAll } from '../../../platform/database/outbox.ts';
import { insertNotices, type NoticeToGive, prepareNotice } from '../../notices/index.ts';
import { insertTasks, type TaskToOpen } from '../store/opening.ts';
import { topicsOf } from './notify.ts';
import type { SubjectKind } from './subjects.ts';

/** A task to write, and the notice that it is there. */
export interface TaskWithNotice {
  subject: SubjectKind;
  task: TaskToOpen;
  notice: NoticeToGive;
}

/** Issues the statements that write tasks, their notices and the events of both, each in its company: for the commit. */
export function writeTasks(tx: CompaniesTx, opened: readonly TaskWithNotice[]): Promise<unknown>[] {
  if (opened.length === 0) return [];
  const written = opened.map(({ subject, task, notice }) => {
    const { companyId } = task;
    const prepared = prepareNotice(companyId, notice);
    const events = [...topicsOf(subject, task), ...(prepared?.events ?? [])];
    return { task, notices: prepared ? [prepared.row] : [], events: events.map((event) => ({ companyId, ...event })) };
  });
  return [
    insertTasks(
      tx,
      written.map(({ task }) => task),
    ),
    insertNotices(
      tx,
      written.flatMap(({ notices }) => notices),
    ),
    announceAll(
      tx,
      written.flatMap(({ events }) => events),
    ),
  ];
}
