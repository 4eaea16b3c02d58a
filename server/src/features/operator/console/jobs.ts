import { unsealWithAny } from '../../../platform/crypto/secrets.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import type { Mailer } from '../../../platform/text/mail.ts';
import { operatorMailKey } from './dependencies.ts';
import { operatorMail, type StaffLetter } from './events.ts';
import { staffMail } from './letters.ts';

/** @param secrets the newest mail secret of the operator's console, then earlier ones; none where there is no console */
export function operatorJobs({ mailer, secrets }: { mailer: Mailer; secrets: readonly string[] }): JobDefinition[] {
  const keys = secrets.map(operatorMailKey);
  return [
    {
      name: 'operator.sendMail',
      on: [operatorMail],
      async run(_context, { sealed }) {
        invariant(typeof sealed === 'string', 'the event holds a sealed letter');
        const opened = unsealWithAny(keys, Buffer.from(sealed, 'base64'), operatorMail);
        const letter = JSON.parse(opened.toString('utf8')) as StaffLetter;
        if ('expiresAt' in letter && new Date(letter.expiresAt) <= new Date()) return;
        await mailer.send(staffMail(letter));
      },
    },
  ];
}
