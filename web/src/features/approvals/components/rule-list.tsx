import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { useTellChange } from '../../control/index.ts';
import { useDeleteRule, useOrderRules } from '../api.ts';
import type { ReviewSetting, Rule } from '../review-setting.ts';
import { rangeText } from './range-text.ts';
import { namesText, submittersText } from './submitters-field.tsx';

interface Props {
  setting: ReviewSetting;
  onEdit: (rule: Rule) => void;
}

/** The rules in the order in which they are asked: the first that covers a transfer decides. Moved by drag or by button. */
export function RuleList({ setting, onEdit }: Props) {
  const t = useText();
  const mayManage = usePermission('rule.manage');
  const order = useOrderRules();
  const tell = useTellChange();
  const [dragged, setDragged] = useState<string | null>(null);
  const { rules, version } = setting;
  const ids = rules.map(({ id }) => id);

  function move(id: string, to: number) {
    const next = ids.filter((other) => other !== id);
    next.splice(to, 0, id);
    if (next.every((other, index) => other === ids[index])) return;
    // A refusal has shown its reason already.
    order.mutate({ body: { version, ids: next } }, { onSuccess: (effect) => tell(effect, t('approvals.set')) });
  }

  return (
    <ol className="m-0 flex list-none flex-col gap-2 p-0">
      {rules.map((rule, index) => (
        <li
          key={rule.id}
          draggable={mayManage === true && rules.length > 1}
          onDragStart={() => setDragged(rule.id)}
          onDragEnd={() => setDragged(null)}
          onDragOver={(event) => dragged !== null && event.preventDefault()}
          onDrop={() => {
            if (dragged !== null) move(dragged, index);
            setDragged(null);
          }}
          className="flex flex-wrap items-start gap-3 rounded-10 border border-line px-4 py-3"
        >
          <span className="figures mt-0.5 w-5 shrink-0 text-13 text-faint">{index + 1}.</span>
          <RuleWords rule={rule} />
          {mayManage && (
            <span className="flex items-center gap-1">
              <IconButton
                icon="arrowUp"
                label={t('approvals.rule.up', { name: rule.name })}
                disabled={index === 0 || order.isPending}
                onClick={() => move(rule.id, index - 1)}
              />
              <IconButton
                icon="arrowDown"
                label={t('approvals.rule.down', { name: rule.name })}
                disabled={index === rules.length - 1 || order.isPending}
                onClick={() => move(rule.id, index + 1)}
              />
              <Button size="small" onClick={() => onEdit(rule)}>
                {t('approvals.rule.edit')}
                <span className="sr-only"> {rule.name}</span>
              </Button>
              <DeleteRule rule={rule} version={version} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function RuleWords({ rule }: { rule: Rule }) {
  const t = useText();
  return (
    <div className="min-w-52 flex-1">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium break-words">{rule.name}</span>
        {!rule.active && <Tag>{t('approvals.rule.inactive')}</Tag>}
        {rule.pendingTasks > 0 && <Tag tone="pending">{t('approvals.rule.pending', { count: rule.pendingTasks })}</Tag>}
      </div>
      <div className="figures text-13 text-muted">{rangeText(rule, t)}</div>
      {rule.submittedBy !== null && (
        <div className="text-13 break-words text-muted">{submittersText(rule.submittedBy, t)}</div>
      )}
      <ol className="m-0 mt-1 list-none p-0 text-13 text-muted">
        {rule.nodes.map((node, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a node has no name but its place
          <li key={index}>
            {t('approvals.rule.node', {
              step: index + 1,
              needed: node.needed,
              names: node.approvers
                .map(({ name, gone }) => (gone ? t('approvals.rule.gone', { name }) : name))
                .join(t('approvals.chain.comma')),
            })}
          </li>
        ))}
      </ol>
    </div>
  );
}

function DeleteRule({ rule, version }: { rule: Rule; version: number }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const remove = useDeleteRule();
  const tell = useTellChange();
  const confirm = () =>
    remove.mutate(
      { body: { version, id: rule.id } },
      {
        onSuccess: (effect) => {
          setAsking(false);
          tell(effect, t('approvals.deleted'));
        },
      },
    );
  return (
    <>
      <IconButton
        icon="trash"
        label={t('approvals.rule.delete', { name: rule.name })}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('approvals.rule.deleteTitle')}
        description={t('approvals.rule.deleteText', { count: rule.pendingTasks })}
        facts={[
          { term: t('approvals.rule.name'), value: rule.name },
          { term: t('approvals.rule.scope'), value: rangeText(rule, t) },
          ...(rule.submittedBy === null
            ? []
            : [{ term: t('approvals.rule.submittedBy'), value: namesText(rule.submittedBy, t) }]),
        ]}
        confirmText={t('approvals.rule.deleteConfirm')}
        negative
        busy={remove.isPending}
        onConfirm={confirm}
      />
    </>
  );
}
