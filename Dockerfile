# The executable, and nothing else: no shell, no Node, no system. First make its files:
#   npm run package -- linux-x64-bare linux-arm64-bare
# They are only copied, so no image needs emulation: docker build --platform linux/amd64,linux/arm64 -t valuefold .
# With sops beside it, for sealed layers: --target sops --build-arg SOPS_IMAGE=... (pin that by digest).
ARG SOPS_IMAGE=scratch

FROM scratch AS program
ARG TARGETARCH
COPY packaging/out/image/${TARGETARCH}/ /
ENV PATH=/usr/local/bin
# Nothing is written but temporary keyrings, for sealed layers. The number is `nobody`, as orchestrators check numbers.
USER 65534:65534
ENTRYPOINT ["/usr/local/bin/valuefold"]
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.title="valuefold" \
  org.opencontainers.image.description="See, check and merge layered Helm values before the cluster does" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"

FROM ${SOPS_IMAGE} AS sops-program

FROM program AS sops
COPY --from=sops-program /usr/local/bin/sops /usr/local/bin/sops

FROM program
