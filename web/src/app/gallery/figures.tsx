import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { Address } from '../../ui/address.tsx';
import { amountLine } from '../../ui/amount-parts.ts';
import { Card } from '../../ui/card.tsx';
import { DailyChart, DonutChart } from '../../ui/chart.tsx';
import { CheckTree } from '../../ui/check-tree.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Money } from '../../ui/money.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Stat } from '../../ui/stat.tsx';
import { Steps } from '../../ui/steps.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { Tree } from '../../ui/tree.tsx';
import type { TreeNode } from '../../ui/tree-rows.ts';
import type { Words } from './basics.tsx';
import { Columns, Row, Section } from './section.tsx';

const address = '0x52908400098527886E0F7030069857D2E4169EE7';
const at = '2026-11-21T06:02:11.000Z';

const points = Array.from({ length: 30 }, (_, day) => ({
  at: new Date(Date.UTC(2026, 9, 23 + day)).toISOString(),
  value: (1_180_000 + Math.round(Math.sin(day / 4) * 42_000) + day * 3100).toFixed(2),
}));

export function FiguresGallery({ words }: { words: Words }) {
  return (
    <>
      <Section title="Money, Stat">
        <Row>
          <Money amount="1250.500000" coin="USDT" fiat={{ amount: '9762.41', coin: 'HKD', at }} />
          <Money amount="-0.001000000000000000" coin="ETH" />
          <Money amount="0.000000" coin="USDC" />
          <Money amount="98765432109876543210.123456789012345678" coin="ETH" />
          <Money amount="42.00" coin="USD" signed />
          <Money amount="1204511.90" coin="USD" size="hero" />
        </Row>
        <Columns>
          <Stat
            label={words.balance}
            value={<Money amount="12500.000001" coin="USDT" size="large" />}
            detail="≈ 97,585.00 HKD"
          />
          <Stat label={words.pending} value={null} />
        </Columns>
      </Section>
      <Section title="Address, QRCode">
        <Row>
          <Address value={address} explorerUrl="https://etherscan.io/" />
          <Address value={address} short />
          <Address value={address} short warning={words.lookalike} />
          <QrCode text={`ethereum:${address}`} size={128} />
        </Row>
      </Section>
      <Section title="DescriptionList, Steps, Timeline, Tree, CheckTree">
        <Steps label={words.payee} steps={words.steps} current={1} />
        <Columns>
          <DescriptionList framed facts={facts(words)} />
          <Timeline label={words.status} stages={stages(words)} />
          <Departments words={words} />
          <Boxes words={words} />
        </Columns>
        <DescriptionList columns facts={facts(words)} />
      </Section>
      <Charts words={words} />
    </>
  );
}

function facts(words: Words) {
  return [
    { term: words.payee, value: words.company },
    { term: words.amount, value: <Money amount="1250.500000" coin="USDT" align="right" /> },
    { term: words.status, value: words.completed },
  ];
}

function stages(words: Words) {
  const [submitted = '', signed = '', broadcast = '', confirmed = ''] = words.stages;
  return [
    { key: '1', title: submitted, detail: words.company, at, tone: 'positive' as const },
    { key: '2', title: signed, at, tone: 'positive' as const },
    { key: '3', title: broadcast, detail: words.waiting, at, tone: 'progress' as const, active: true },
    { key: '4', title: confirmed, tone: 'neutral' as const },
  ];
}

function departmentsOf(words: Words): readonly TreeNode[] {
  const [head = '', finance = '', treasury = '', operations = ''] = words.departments;
  return [
    {
      id: 'head',
      label: head,
      aside: 12,
      children: [
        { id: 'finance', label: finance, aside: 4, children: [{ id: 'treasury', label: treasury, aside: 2 }] },
        { id: 'operations', label: operations, aside: 6 },
      ],
    },
  ];
}

function Departments({ words }: { words: Words }) {
  const [selected, setSelected] = useState('finance');
  return <Tree label={words.company} nodes={departmentsOf(words)} selected={selected} onSelect={setSelected} />;
}

function Boxes({ words }: { words: Words }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(['finance', 'treasury']));
  const [head = '', finance = '', treasury = '', operations = ''] = words.departments;
  const nodes = [
    {
      id: 'head',
      label: head,
      children: [
        { id: 'finance', label: finance },
        { id: 'treasury', label: treasury, locked: words.waiting },
        { id: 'operations', label: operations },
      ],
    },
  ];
  return <CheckTree label={words.company} nodes={nodes} value={ticked} onChange={setTicked} />;
}

function Charts({ words }: { words: Words }) {
  const formats = useFormats();
  const shares = [
    { name: 'USDT', weight: 52, percent: formats.percent(0.52), figure: '626,346.00 USDT' },
    { name: 'ETH', weight: 31, percent: formats.percent(0.31), figure: '118.204 ETH' },
    { name: 'USDC', weight: 12, percent: formats.percent(0.12), figure: '144,541.00 USDC' },
    { name: 'HKDT', weight: 5, percent: formats.percent(0.05), figure: '469,760.00 HKDT' },
  ];
  return (
    <Section title="Chart">
      <div className="grid gap-6 lg:grid-cols-2">
        <Card title={words.balance}>
          <DailyChart
            label={words.balance}
            points={points}
            unit="USD"
            format={(value) => amountLine(value, 'USD')}
            formatTick={formats.compact}
            formatDate={formats.date}
            formatDay={formats.day}
          />
        </Card>
        <Card title={words.coin}>
          <DonutChart label={words.coin} shares={shares} />
        </Card>
      </div>
    </Section>
  );
}
