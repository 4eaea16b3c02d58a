import { downloadFile, uploadFile } from '@causeway/contract/files.ts';
import { type Http, route } from '../../platform/http.ts';
import type { FilesService } from './service.ts';

export function registerFilesRoutes(http: Http, deps: { files: FilesService }): void {
  route(http, uploadFile, (_, context) => deps.files.upload(context, context.upload));
  route(http, downloadFile, ({ params }, { session }) => deps.files.download(session.companyId, params.id));
}
