import type { Finding } from '@causeway/contract/review.ts';
import { useText } from '../../../lib/locale.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** What is found about the rules, problems first; said in words beside them, before saving and ever after. */
export function Findings({ label, findings }: { label: string; findings: readonly Finding[] }) {
  const t = useText();
  const sorted = [...findings].sort((a, b) => Number(b.severity === 'problem') - Number(a.severity === 'problem'));
  return (
    <section aria-label={label} aria-live="polite" className="mt-4">
      {sorted.length === 0 ? (
        <p className="m-0 flex items-center gap-2 text-13 text-positive">
          <Icon name="check" />
          {t('approvals.findings.none')}
        </p>
      ) : (
        <ul className="m-0 flex list-none flex-col gap-2 p-0 text-13">
          {sorted.map(({ text, severity, ruleName, node }) => (
            <li key={`${ruleName}/${node}/${text}`} className="flex items-start gap-2">
              <span className={severity === 'problem' ? 'mt-0.5 text-negative' : 'mt-0.5 text-pending'}>
                <Icon name={severity === 'problem' ? 'warning' : 'info'} />
              </span>
              <span>
                <span className="sr-only">{t(`approvals.findings.${severity}`)}: </span>
                {text}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
