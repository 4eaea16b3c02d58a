import type { CardRule } from '@causeway/contract/cards-limits.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, NoPermission, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useTellChange } from '../../control/index.ts';
import { useRemoveRule, useRules } from '../api.ts';
import { useBoundsFacts } from '../components/bounds-facts.ts';
import { CardTabs } from '../components/card-tabs.tsx';
import { RuleDialog } from '../components/rule-dialog.tsx';

type Asking = { kind: 'add' } | { kind: 'edit' | 'remove'; rule: CardRule };

/** The rules above cards: of the company, of departments and of roles. */
export function Page() {
  const t = useText();
  return usePermission('card.view') === false ? (
    <Frame>
      <NoPermission />
    </Frame>
  ) : (
    <Frame intro={t('cards.rules.intro')}>
      <CardTabs />
      <Rules />
    </Frame>
  );
}

function Rules() {
  const t = useText();
  const read = useRules();
  const mayManage = usePermission('card.manage') ?? false;
  const [asking, setAsking] = useState<Asking | null>(null);
  const { data, error } = read;
  if (data === undefined && error !== null) {
    return (
      <Card>
        <ErrorState error={error} onRetry={() => void read.refetch()} />
      </Card>
    );
  }
  const add = mayManage && (
    <Button kind="primary" icon="plus" onClick={() => setAsking({ kind: 'add' })}>
      {t('cards.rules.add')}
    </Button>
  );
  const close = () => setAsking(null);
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-60" />}>
      {data?.items.length === 0 ? (
        <Card>
          <EmptyState icon="shield" title={t('cards.rules.empty')} text={t('cards.rules.emptyText')} action={add} />
        </Card>
      ) : (
        <div className="flex flex-col gap-4">
          <div className="flex justify-end">{add}</div>
          <ul className="m-0 grid list-none gap-4 p-0 lg:grid-cols-2">
            {data?.items.map((rule) => (
              <li key={rule.id} className="min-w-0">
                <RuleCard rule={rule} mayManage={mayManage} onAsk={(kind) => setAsking({ kind, rule })} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {asking?.kind === 'add' && <RuleDialog onClose={close} />}
      {asking?.kind === 'edit' && <RuleDialog rule={asking.rule} onClose={close} />}
      {asking?.kind === 'remove' && <Removing rule={asking.rule} onClose={close} />}
    </Loading>
  );
}

/** "Department Sales · HKD". */
function useRuleName(): (rule: CardRule) => string {
  const t = useText();
  return ({ scope, scopeName, asset }) => `${t(`cards.scope.${scope}Is`, { name: scopeName ?? '' })} · ${asset}`;
}

function RuleCard(props: { rule: CardRule; mayManage: boolean; onAsk: (kind: 'edit' | 'remove') => void }) {
  const { rule, mayManage, onAsk } = props;
  const t = useText();
  const boundsFacts = useBoundsFacts();
  const name = useRuleName()(rule);
  return (
    <Card
      title={name}
      aside={
        mayManage && (
          <div className="flex gap-2">
            <Button size="small" aria-label={`${t('cards.rules.edit')}: ${name}`} onClick={() => onAsk('edit')}>
              {t('cards.rules.edit')}
            </Button>
            <Button size="small" aria-label={`${t('cards.rules.remove')}: ${name}`} onClick={() => onAsk('remove')}>
              {t('cards.rules.remove')}
            </Button>
          </div>
        )
      }
    >
      <DescriptionList
        facts={[
          ...boundsFacts(rule, rule.asset),
          { term: t('cards.rules.cards'), value: rule.cards },
          { term: t('cards.rules.changedAt'), value: <Time at={rule.changedAt} /> },
        ]}
      />
    </Card>
  );
}

function Removing({ rule, onClose }: { rule: CardRule; onClose: () => void }) {
  const t = useText();
  const tell = useTellChange();
  const remove = useRemoveRule();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('cards.rules.removeTitle')}
      description={t('cards.rules.removeText')}
      facts={[
        { term: t('cards.rules.scope'), value: useRuleName()(rule) },
        { term: t('cards.rules.cards'), value: rule.cards },
      ]}
      confirmText={t('cards.rules.remove')}
      negative
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { body: { id: rule.id } },
          {
            onSuccess: (effect) => {
              onClose();
              tell(effect, t('cards.rules.removed'));
            },
          },
        )
      }
    />
  );
}
