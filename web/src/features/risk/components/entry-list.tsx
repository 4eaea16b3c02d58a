import type { ListKind } from '@causeway/contract/risk-rules.ts';
import { useLocation } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { entryLists } from '../lists/entry-list.tsx';
import { listPaths } from '../words.ts';
import { EntryDialogs, type EntryStep } from './entry-dialogs.tsx';

/** The white list or the black list: search, filters, adding, changing, taking off, log, import and export. */
export function EntryList({ kind }: { kind: ListKind }) {
  const t = useText();
  const list = entryLists[kind];
  const read = useList(list, { kind });
  const mayManage = usePermission('list.manage') === true;
  const [step, setStep] = useState<EntryStep | null>(null);
  const context = useMemo(() => ({ mayManage, onStep: setStep }), [mayManage]);
  return (
    <div className="flex flex-col gap-4">
      <p className="m-0 min-w-0 text-muted">{t(`risk.${kind}.intro`)}</p>
      <ListView
        list={list}
        read={read}
        context={context}
        onAdd={() => setStep({ step: 'add' })}
        actions={
          <>
            <Step kind={kind} to="log" icon="clock" />
            {mayManage && <Step kind={kind} to="import" icon="upload" />}
          </>
        }
      />
      <EntryDialogs kind={kind} step={step} onClose={() => setStep(null)} />
    </div>
  );
}

function Step({ kind, to, icon }: { kind: ListKind; to: 'log' | 'import'; icon: IconName }) {
  const t = useText();
  const search = useLocation({ select: (location) => location.searchStr });
  return (
    <PlainLink href={`${listPaths[kind]}/${to}${search}`} className={buttonClass('secondary')}>
      <Icon name={icon} />
      {t(`risk.${to}`)}
    </PlainLink>
  );
}
