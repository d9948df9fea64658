# The image of one instance. compose.yaml starts two of them with everything that they need (docs/deploy-compose.md).
# Settings and secrets are environment variables of the container: the image contains none.
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim

FROM ${NODE_IMAGE} AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY patches patches
RUN npm ci --no-audit --no-fund

FROM modules AS production-modules
# npm keeps a development dependency that is an optional peer of a package in production: Playwright of Next.js.
RUN npm prune --omit=dev --no-audit --no-fund \
 && node -e "for (const [path, { devOptional }] of Object.entries(require('./node_modules/.package-lock.json').packages)) \
      if (devOptional) fs.rmSync(path, { recursive: true, force: true })" \
 && rm -rf node_modules/.cache && find node_modules -type d -empty -delete

FROM modules AS build
# Both are compiled into the pages (.env.example).
ARG NEXT_PUBLIC_HIDE_TOOL_LINKS=0
ARG NEXT_PUBLIC_HIDE_SYSTEM_GROUP=0
ENV NEXT_TELEMETRY_DISABLED=1
COPY . .
# npm test checks the types; most scripts and the tests are not part of the context. Then everything goes that the start
# script, the migrations and the other commands of an operator do not read.
RUN SKIP_TYPE_CHECK=1 node_modules/.bin/next build \
 && rm -rf .next/cache .next/trace* node_modules app components patches postcss.config.mjs

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="LinkMarket" \
      org.opencontainers.image.description="Marketplace for SEO link placements, paid from a prepaid wallet" \
      org.opencontainers.image.licenses="MIT"
# Uploads and backups are spooled in TMPDIR, which needs a disk: /tmp is memory in most read-only containers. The start
# script compiles its TypeScript at each start rather than trusting a cache in a folder that the app can write.
ENV NODE_ENV=production \
    PORT=3000 \
    DATA_DIR=/data \
    TMPDIR=/var/tmp \
    TSX_DISABLE_CACHE=1 \
    NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
# Both belong to root, so that the app cannot modify itself.
COPY --from=production-modules /app/node_modules node_modules
COPY --from=build /app ./
RUN install --directory --owner=node --group=node --mode=700 /data
# The user node of the base image, as a number: Kubernetes verifies only a number with runAsNonRoot.
USER 1000:1000
VOLUME ["/data", "/var/tmp"]
EXPOSE 3000
STOPSIGNAL SIGTERM
# Checks only the process, unlike /api/health: an instance that is replaced during an outage of the database does not
# end the outage.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node.js is process 1 and handles SIGTERM itself: the start script forwards it, waits until open requests are finished
# and exits with 0.
CMD ["node", "--import", "tsx", "scripts/start.ts"]
