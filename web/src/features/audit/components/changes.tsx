import type { AuditEvent } from '@causeway/contract/audit.ts';
import { useText } from '../../../lib/locale.tsx';
import { Time } from '../../../ui/time.tsx';

/** What an event changed: each field with its value before and after. */
export function Changes({ changes }: { changes: AuditEvent['changes'] }) {
  const t = useText();
  const sides = sidesOf(changes);
  return (
    <div className="overflow-x-auto rounded-10 border border-line">
      <table className="w-full border-collapse text-left text-13">
        <caption className="sr-only">{t('auditLog.changes')}</caption>
        <thead>
          <tr className="border-b border-line bg-sunken text-12 text-faint">
            <th scope="col" className="min-w-24 px-3 py-2 font-medium">
              {t('auditLog.field')}
            </th>
            {sides !== 'after' && (
              <th scope="col" className="min-w-20 px-3 py-2 font-medium">
                {t('auditLog.before')}
              </th>
            )}
            {sides !== 'before' && (
              <th scope="col" className="min-w-20 px-3 py-2 font-medium">
                {t(sides === 'after' ? 'auditLog.value' : 'auditLog.after')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, label, before, after }) => (
            <tr key={field} className="border-b border-line align-top last:border-b-0">
              <th scope="row" className="px-3 py-2 font-normal wrap-anywhere text-muted">
                {label === '' ? t('auditLog.value') : label}
              </th>
              {sides !== 'after' && (
                <td className="px-3 py-2 wrap-anywhere text-muted">
                  {before === null ? <Nothing /> : <Before text={before} isKept={before === after} />}
                </td>
              )}
              {sides !== 'before' && (
                <td className="px-3 py-2 wrap-anywhere">
                  {after === null ? (
                    <Nothing />
                  ) : (
                    <ins className="font-medium no-underline">
                      <Value text={after} />
                    </ins>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Something new has no state before, and something deleted none after. */
export function sidesOf(changes: AuditEvent['changes']): 'before' | 'after' | 'both' {
  if (changes.every(({ before }) => before === null)) return 'after';
  return changes.every(({ after }) => after === null) ? 'before' : 'both';
}

function Nothing() {
  return <span className="text-faint">{useText()('auditLog.nothing')}</span>;
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

export function isInstant(text: string): boolean {
  return instant.test(text);
}

/** A recorded value: moments in the reader's own zone, everything else in the server's words. */
export function Value({ text }: { text: string }) {
  if (isInstant(text)) return <Time at={text} />;
  return <span className="wrap-anywhere whitespace-pre-line">{text}</span>;
}

/** What was there: struck out where something else takes its place. */
function Before({ text, isKept }: { text: string; isKept: boolean }) {
  if (isKept) return <Value text={text} />;
  return (
    <del className="decoration-line-strong">
      <Value text={text} />
    </del>
  );
}
