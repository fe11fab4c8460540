# The service for production: PostgreSQL is elsewhere (DATABASE_URL), so the embedded one stays out.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json gable.ts ./
COPY generator generator
COPY client client
COPY explorer explorer
COPY generated generated
COPY runtime runtime
COPY model model
COPY CHANGELOG.md ./
RUN npm run build
RUN npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4004 GABLE_LOG_REQUESTS=all GABLE_DRAIN_DELAY=3000
WORKDIR /service
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist/gable.js dist/gable.js
COPY --from=build /build/dist/serve dist/serve
COPY --from=build /build/dist/explorer/site dist/explorer/site
COPY --from=build /build/dist/runtime dist/runtime
COPY --from=build /build/dist/generated dist/generated
COPY --from=build /build/dist/docs dist/docs
COPY --from=build /build/generated generated
USER node
EXPOSE 4004
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (+process.env.GABLE_OPERATIONS_PORT || process.env.PORT) + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/gable.js"]
CMD ["serve"]
