export { createDiskStore, type ObjectStore } from './adapters/disk.ts';
export { registerFilesRoutes } from './routes.ts';
export { createFilesService, findFiles } from './service.ts';
