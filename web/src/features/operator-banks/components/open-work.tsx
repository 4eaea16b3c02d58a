import type { Banks } from '@causeway/contract/operator-banks.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';

/** What waits for a person, each leading to its list. */
export function OpenWork({ open }: { open: Banks['open'] }) {
  const t = useText();
  const figures = [
    ['suspense', open.suspense, '/app/banks/moneys'],
    ['charged', open.charged, '/app/banks/moneys?state=charged'],
    ['refusedFiles', open.refusedFiles, '/app/banks/files?state=refused'],
  ] as const;
  return (
    <Card>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-3">
        {figures.map(([name, count, href]) => (
          <Stat
            key={name}
            label={t(`ops.banks.open.${name}`)}
            value={
              count === 0 ? (
                '0'
              ) : (
                <PlainLink
                  href={href}
                  aria-label={`${t(`ops.banks.open.${name}`)}: ${count}`}
                  className="text-accent hover:underline"
                >
                  {count}
                </PlainLink>
              )
            }
          />
        ))}
      </div>
    </Card>
  );
}
