import { downloadFile, uploadFile } from '@causeway/contract/files.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { download, type FilesPorts, upload } from './service.ts';

export function registerFilesRoutes(given: Http, ports: FilesPorts): void {
  const http = withPorts(given, ports);
  route.open(http, uploadFile, 'slow work', upload);
  route.open(http, downloadFile, 'slow work', download);
}
