FROM python:3.13-slim AS base
WORKDIR /app
RUN useradd --create-home --uid 10001 ledgertop
COPY requirements/serve.txt requirements/serve.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/serve.txt
COPY pyproject.toml README.md ./
COPY domain domain
COPY services services
COPY projections projections
COPY workers workers
COPY api api
COPY ledgertop ledgertop
COPY web web
RUN pip install --no-cache-dir --no-deps --no-build-isolation . \
    && mkdir /data && chown ledgertop /data
USER ledgertop
ENV LEDGERTOP_DATA=/data PYTHONUNBUFFERED=1
ENTRYPOINT ["ledgertop"]
CMD ["api", "--host", "0.0.0.0", "--port", "8000"]
