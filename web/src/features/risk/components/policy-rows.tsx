import type { RiskPolicy } from '@causeway/contract/risk.ts';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { buttonClass, IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';
import { Time } from '../../../ui/time.tsx';
import { useTellChange } from '../../control/index.ts';
import { useDeletePolicy, useMovePolicy, useSetPolicyStatus } from '../api.ts';
import { dimensionTexts, hasWindow, policyPath } from '../words.ts';
import { useSentence } from './use-sentence.ts';

interface Props {
  policies: readonly RiskPolicy[];
  mayManage: boolean;
  /** The last position there is; null when filters hide how many there are. */
  last: number | null;
}

/** Policies in their order; moved by drag, or by the two buttons of each. */
export function PolicyRows({ policies, mayManage, last }: Props) {
  const t = useText();
  const order = useMovePolicy();
  const tell = useTellChange();
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const move = (id: string, position: number) =>
    order.mutate({ body: { id, position } }, { onSuccess: (effect) => tell(effect, t('risk.policy.moved')) });
  const letGo = () => {
    setDragged(null);
    setOver(null);
  };
  return (
    <ol aria-label={t('risk.tab.policy')} className="m-0 list-none p-0">
      {policies.map((policy, index) => (
        <li
          key={policy.id}
          draggable={mayManage}
          onDragStart={() => setDragged(policy.id)}
          onDragEnd={letGo}
          onDragOver={(event) => {
            if (dragged === null) return;
            event.preventDefault();
            setOver(policy.id);
          }}
          onDrop={() => {
            if (dragged !== null && dragged !== policy.id) move(dragged, policy.position);
            letGo();
          }}
          className={classNames(
            'flex flex-wrap items-start gap-x-3 gap-y-2 border-line px-4 py-3 not-last:border-b',
            over === policy.id && dragged !== policy.id && 'bg-accent-soft',
          )}
        >
          <span className="figures mt-0.5 w-6 shrink-0 text-13 text-faint">{policy.position}.</span>
          <PolicyWords policy={policy} />
          {mayManage && (
            <span className="flex flex-wrap items-center gap-1">
              <IconButton
                icon="arrowUp"
                label={t('risk.policy.up', { name: policy.name })}
                disabled={policy.position === 1 || order.isPending}
                onClick={() => move(policy.id, policies[index - 1]?.position ?? policy.position - 1)}
              />
              <IconButton
                icon="arrowDown"
                label={t('risk.policy.down', { name: policy.name })}
                disabled={policy.position === last || order.isPending}
                onClick={() => move(policy.id, policies[index + 1]?.position ?? policy.position + 1)}
              />
              <PlainLink href={`${policyPath}/${policy.id}/edit`} className={buttonClass('secondary', 'small')}>
                {t('risk.edit')}
                <span className="sr-only"> {policy.name}</span>
              </PlainLink>
              <DeletePolicy policy={policy} />
            </span>
          )}
          <ActiveSwitch policy={policy} mayManage={mayManage} />
        </li>
      ))}
    </ol>
  );
}

function PolicyWords({ policy }: { policy: RiskPolicy }) {
  const t = useText();
  const sentence = useSentence();
  const search = useLocation({ select: (location) => location.searchStr });
  const { content, business, method, result, interceptCount } = policy;
  return (
    <div className="min-w-60 flex-1">
      <div className="flex flex-wrap items-center gap-2">
        <PlainLink
          href={`${policyPath}/${policy.id}${search}`}
          className="font-medium break-words text-text hover:text-accent"
        >
          {policy.name}
        </PlainLink>
        {!policy.active && <Tag>{t('risk.policy.off')}</Tag>}
      </div>
      <p className="m-0 mt-0.5 text-13 break-words text-muted">{sentence(policy)}</p>
      <div className="mt-1 flex flex-wrap gap-x-3 text-12 text-faint">
        <span>{t(`risk.business.${business}`)}</span>
        <span>{t(dimensionTexts[content.dimension])}</span>
        <span>{t(`risk.method.${method}`)}</span>
        <span>{t(`risk.result.${result}`)}</span>
        {hasWindow(content.dimension) && <span>{t(`risk.window.${policy.window}`)}</span>}
        <span>
          {t('risk.policy.addedAt')} <Time at={policy.createdAt} dateOnly />
        </span>
        {interceptCount === 0 ? (
          <span>{t('risk.policy.intercepts', { count: 0 })}</span>
        ) : (
          <PlainLink href={`${policyPath}/${policy.id}`} className="text-accent">
            {t('risk.policy.intercepts', { count: interceptCount })}
          </PlainLink>
        )}
      </div>
    </div>
  );
}

function ActiveSwitch({ policy, mayManage }: { policy: RiskPolicy; mayManage: boolean }) {
  const t = useText();
  const change = useSetPolicyStatus();
  const tell = useTellChange();
  const { id, active, name } = policy;
  if (!mayManage) return null;
  return (
    <div className="flex h-9 items-center">
      <Checkbox
        checked={active}
        disabled={change.isPending}
        onChange={() =>
          change.mutate({ body: { id, active: !active } }, { onSuccess: (effect) => tell(effect, t('risk.set')) })
        }
      >
        {t('risk.policy.on')}
        <span className="sr-only"> {name}</span>
      </Checkbox>
    </div>
  );
}

function DeletePolicy({ policy }: { policy: RiskPolicy }) {
  const t = useText();
  const sentence = useSentence();
  const [asking, setAsking] = useState(false);
  const remove = useDeletePolicy();
  const tell = useTellChange();
  const confirm = () =>
    remove.mutate(
      { body: { id: policy.id } },
      {
        onSuccess: (effect) => {
          tell(effect, t('risk.deleted'));
          setAsking(false);
        },
      },
    );
  return (
    <>
      <IconButton icon="trash" label={t('risk.policy.delete', { name: policy.name })} onClick={() => setAsking(true)} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('risk.policy.deleteTitle')}
        description={t('risk.policy.deleteText')}
        facts={[
          { term: t('risk.policy.name'), value: policy.name },
          { term: t('risk.policy.says'), value: sentence(policy) },
        ]}
        confirmText={t('risk.entry.delete')}
        negative
        busy={remove.isPending}
        onConfirm={confirm}
      />
    </>
  );
}
