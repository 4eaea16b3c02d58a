# One image, four commands: main (default), worker, signer, migrate. Node runs the TypeScript of the server itself; only the
# web app is built, in a stage of its own.
#
#   docker build -t causeway .
#   docker run --env-file causeway.env causeway node server/src/worker.ts

FROM node:24.21.0-bookworm-slim AS web
WORKDIR /causeway
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY sandbox/package.json sandbox/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
COPY tools/package.json tools/
RUN npm ci --no-audit --no-fund --workspace contract --workspace web --include-workspace-root
COPY tsconfig.base.json ./
COPY contract contract
COPY web web
RUN npm run build --workspace web

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /causeway
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY sandbox/package.json sandbox/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
COPY tools/package.json tools/
# Not without optional dependencies: argon2's native part is one. The pinned Node.js is another, and is the image's own here.
RUN npm ci --no-audit --no-fund --omit=dev --workspace contract --workspace server \
  && rm -rf node_modules/node-linux-*

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 WEB_DIR=/causeway/web/dist HTTP_HOST=0.0.0.0
WORKDIR /causeway
COPY --from=dependencies /causeway/node_modules node_modules
COPY package.json LICENSE ./
# With what npm could not put beside the others.
COPY --from=dependencies /causeway/server server
COPY contract contract
COPY server server
COPY --from=web /causeway/web/dist web/dist
# Nothing of the product writes beside these: uploaded files, the signer's socket.
RUN mkdir -p /var/lib/causeway/files /run/causeway && chown -R node:node /var/lib/causeway /run/causeway
USER node
VOLUME ["/var/lib/causeway/files", "/run/causeway"]
EXPOSE 8080
STOPSIGNAL SIGTERM
CMD ["node", "server/src/main.ts"]
