# hsctl for Dask workers, and to run bots apart from your files. The versions are those of uv.lock.
#   docker build -t hsctl .
#   docker run --rm --network host hsctl dask worker tcp://HOST:8786 --nthreads 1 --nworkers 8
#   docker run --rm -v "$PWD:/bots:ro" -w /bots hsctl hsctl play ./mybot beam
FROM python:3.13-slim-bookworm AS build
RUN pip install --no-cache-dir uv==0.13.8
WORKDIR /hsctl
COPY pyproject.toml uv.lock README.md LICENSE ./
COPY engine engine
COPY search search
COPY replays replays
COPY hsctl hsctl
RUN uv sync --frozen --no-editable --extra cluster

FROM python:3.13-slim-bookworm
RUN useradd --create-home player
COPY --from=build /hsctl/.venv /hsctl/.venv
ENV PATH=/hsctl/.venv/bin:$PATH HSCTL_CACHE=/home/player/cache HSCTL_DATA=/home/player/data
USER player
WORKDIR /home/player
CMD ["hsctl", "--help"]
