import { listBankFiles } from 'virtual:calls/operator-banks';
import { defineList } from '../../../ui/list-view.tsx';
import { Time } from '../../../ui/time.tsx';
import { FileState } from '../components/file-state.tsx';
import { fileStateTexts, sizeOf } from '../words.ts';

const again_ms = 15_000;

/** Files of banks, the newest first. */
export const fileList = defineList({
  call: listBankFiles,
  label: 'ops.title.bankFiles',
  name: 'operator-bank-files',
  filters: [
    { kind: 'choice', name: 'state', label: 'ops.field.state', options: fileStateTexts },
    { kind: 'link', name: 'bank' },
  ],
  columns: ({ t, tag }) => [
    {
      id: 'name',
      header: t('ops.bankFile.name'),
      card: 'title',
      skeleton: 'w-40',
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
    },
    { id: 'bank', header: t('ops.bankFile.bank'), skeleton: 'w-24', cell: ({ bankName }) => bankName },
    {
      id: 'kind',
      header: t('ops.bankFile.kind'),
      skeleton: 'w-20',
      cell: ({ kind }) => kind ?? <span className="text-faint">–</span>,
    },
    {
      id: 'bytes',
      header: t('ops.bankFile.size'),
      align: 'right',
      skeleton: 'w-16',
      cell: ({ bytes }) => sizeOf(bytes, tag),
    },
    { id: 'at', header: t('ops.bankFile.at'), skeleton: 'w-32', cell: ({ at }) => <Time at={at} /> },
    {
      id: 'source',
      header: t('ops.bankFile.source'),
      skeleton: 'w-20',
      cell: ({ source }) => t(`ops.bankFile.source.${source}`),
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      card: 'status',
      width: '30%',
      skeleton: 'w-24',
      cell: ({ state, problem }) => <FileState state={state} problem={problem} />,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/banks/files/${id}`,
  empty: { icon: 'file', title: 'ops.bankFile.empty', text: 'ops.bankFile.emptyText' },
  again_ms: () => again_ms,
});
