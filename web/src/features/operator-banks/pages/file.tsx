import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type FileDetail, saveFile, useFile } from '../api.ts';
import { FileMoneys, FileStatements } from '../components/file-contents.tsx';
import { FileState } from '../components/file-state.tsx';
import { FileText } from '../components/file-text.tsx';

/** One file of a bank: what it is, what it says, what came of it. */
export function Page() {
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useFile(id);
  const { data } = read;
  return (
    <Frame>
      {data === undefined && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-80" />}>
          {data && <Parts detail={data} />}
        </Loading>
      )}
    </Frame>
  );
}

function Parts({ detail }: { detail: FileDetail }) {
  const t = useText();
  const may = usePermission('operator.look');
  const { file, sha256, reference } = detail;
  return (
    <div className="flex flex-col gap-6">
      <Card
        title={<span className="wrap-anywhere">{file.name}</span>}
        aside={
          may === true && (
            <Button onClick={() => void saveFile(file.id, file.name)}>{t('ops.bankFile.download')}</Button>
          )
        }
      >
        <DescriptionList
          columns
          facts={[
            { term: t('ops.field.state'), value: <FileState state={file.state} problem={file.problem} /> },
            { term: t('ops.bankFile.bank'), value: file.bankName },
            { term: t('ops.bankFile.kind'), value: file.kind ?? '–' },
            { term: t('ops.bankFile.reference'), value: <span className="wrap-anywhere">{reference ?? '–'}</span> },
            { term: t('ops.bankFile.source'), value: t(`ops.bankFile.source.${file.source}`) },
            { term: t('ops.bankFile.at'), value: <Time at={file.at} /> },
            { term: t('ops.banks.digest'), value: <code className="text-12 wrap-anywhere">{sha256}</code> },
          ]}
        />
      </Card>
      {detail.statements.length > 0 && <FileStatements statements={detail.statements} />}
      {detail.moneys.length > 0 && <FileMoneys moneys={detail.moneys} isCut={detail.moneysCut} />}
      <FileText text={detail.text} isCut={detail.isCut} />
    </div>
  );
}
