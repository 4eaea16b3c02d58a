# One image, a command for each process: main (default), worker, signer, migrate, operator. Node runs the TypeScript of the server
# itself; only the web app is built, in a stage of its own. The image's Node.js is the pinned one (.nvmrc; a test compares them).
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
# The commit that it was built from, which every process reports: docker build --build-arg COMMIT="$(git rev-parse HEAD)" …
ARG COMMIT=
ENV CAUSEWAY_COMMIT=$COMMIT
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 WEB_DIR=/causeway/web/dist HTTP_HOST=0.0.0.0
WORKDIR /causeway
COPY --from=dependencies /causeway/node_modules node_modules
COPY package.json LICENSE ./
# With what npm could not put beside the others.
COPY --from=dependencies /causeway/server server
COPY contract contract
COPY server server
COPY --from=web /causeway/web/dist web/dist
COPY --from=web /causeway/web/dist-operator web/dist-operator
# Each process is a user of its own (compose.yaml); what two of them share, they share by a group. Fresh volumes take owner and mode
# from here. Nothing of the product writes beside these: uploaded files, the signer's socket, the signer's journal.
RUN groupadd --gid 64001 causeway-socket && groupadd --gid 64002 causeway-files \
  && for user in main:64011 worker:64012 signer:64010 migrate:64013 operator:64014; do \
       useradd --uid "${user#*:}" --user-group --no-create-home --shell /usr/sbin/nologin "causeway-${user%:*}"; done \
  && install -d -o root -g causeway-files -m 2770 /var/lib/causeway/files \
  && install -d -o causeway-signer -g causeway-socket -m 2750 /run/causeway \
  && install -d -o causeway-signer -g causeway-signer -m 0700 /var/lib/causeway-signer
USER causeway-main
EXPOSE 8080
STOPSIGNAL SIGTERM
CMD ["node", "server/src/main.ts"]
