import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { listPaths, policyPath } from '../words.ts';

const paths = {
  approval: '/app/risk-setting',
  policy: policyPath,
  whitelist: listPaths.white,
  blacklist: listPaths.black,
} as const;
type RiskTab = keyof typeof paths;

/** The frame of /app/risk-setting (decisions, "Screens"): four tabs, each at an address of its own. */
export function RiskFrame({ tab, children }: { tab: RiskTab; children: ReactNode }) {
  const t = useText();
  const router = useRouter();
  return (
    <Frame>
      <Tabs<RiskTab>
        label={t('risk.tabs')}
        tabs={[
          { key: 'approval', label: t('risk.tab.approval') },
          { key: 'policy', label: t('risk.tab.policy') },
          { key: 'whitelist', label: t('risk.tab.whitelist') },
          { key: 'blacklist', label: t('risk.tab.blacklist') },
        ]}
        value={tab}
        onChange={(next) => router.history.push(paths[next])}
      >
        {children}
      </Tabs>
    </Frame>
  );
}
