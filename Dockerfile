# The bundled program on a bare Node. Base images are build arguments: pin them by digest where you build.
ARG BUILD_IMAGE=docker.io/library/node:24-slim
ARG RUN_IMAGE=docker.io/library/node:24-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig*.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build

FROM ${RUN_IMAGE}
COPY --from=build /src/dist /usr/local/lib/valuefold
# Orchestrators run functions as `nobody`, without network, perhaps on a read-only root: nothing is written.
USER nobody
ENTRYPOINT ["node", "/usr/local/lib/valuefold/valuefold.cjs"]
