// Entries of calls that change files of the working directory, and build and test them.
import { commands, programs } from './command-entries.ts'

const FILE_TOOLS = ['Edit', 'MultiEdit', 'NotebookEdit', 'Write', 'mcp__svc__doc_create', 'mcp__svc__doc_update']

const FILE_PROGRAMS = programs(`
  chmod cp diff3 gunzip gzip ln mkdir mktemp mv patch rmdir sed split tar tee touch truncate unzip zip
`)

/** Build output, and files by their ending: other removals need approval. */
const REMOVALS = commands(
  ...'.cache .next .nuxt .parcel-cache .pytest_cache .mypy_cache .ruff_cache .turbo build coverage dist htmlcov node_modules out target tmp __pycache__'
    .split(' ')
    .flatMap((folder) => [`rm -rf ${folder}`, `rm -rf ./${folder}`, `rm -r ${folder}`, `rm -fr ${folder}`]),
  `
  rm -rf dist build
  rm -rf dist coverage
  rm -rf node_modules package-lock.json
`,
  ...'bak cjs csv html js json log md mjs orig out patch png py pyc rej sh sqlite svg tmp ts tsbuildinfo tsx txt xml yaml yml zip'
    .split(' ')
    .map((ending) => `rm *.${ending}`),
)

const GIT = commands(
  ...'add am apply checkout cherry-pick commit fetch init merge mv pull rebase reset restore revert rm stash switch worktree'
    .split(' ')
    .map((subcommand) => `git ${subcommand} *`),
  'git branch *',
  `
  xargs git add *
  xargs git rm *
`,
)

/** A program that may be written and run is no danger beyond its text. */
const LANGUAGES = [
  ...programs('node python python3 deno tsx ts-node ruby perl php go cargo rustc rustfmt gofmt javac java gcc g++ cc'),
  ...commands(`
  python -c *
  python3 -c *
  python - *
  python3 - *
  python -
  python3 -
  node -e *
  node -p *
  node --eval *
  node --print *
  node --input-type=module -e *
  node - *
  node -
  perl -e *
  perl -ne *
  perl -pe *
  perl -pi -e *
  perl -i -pe *
  ruby -e *
  php -r *
  ./*
  bash ./*
  bash bin/*
  bash scripts/*
  bash script/*
  bash test/*
  bash tests/*
  sh ./*
  sh scripts/*
  source .venv/bin/activate
  source venv/bin/activate
  source ./.venv/bin/activate
  source env/bin/activate
  . .venv/bin/activate
  . venv/bin/activate
  .venv/bin/*
  venv/bin/*
  node_modules/.bin/*
`),
]

const TOOLS = programs(`
  ava biome black bazel clang clang-format clang-tidy cmake coverage ctest esbuild eslint flake8 golangci-lint gradle
  gradlew isort jest jshint karma make meson mix mocha mvn mypy ninja nox nx oxfmt oxlint phpstan phpunit playwright
  prettier pylint pyright pytest rake rollup rspec rubocop ruff shellcheck standard stylelint swc tox tsc turbo vite
  vitest webpack yamllint
`)

const PACKAGE_SCRIPTS = commands(
  ...'npm pnpm yarn bun'
    .split(' ')
    .flatMap((manager) => [`${manager} run *`, `${manager} test *`, `${manager} start *`, `${manager} install`]),
  ...'ava biome cypress esbuild eslint jest karma mocha nyc oxfmt oxlint playwright prettier rollup stylelint tsc tsx turbo vite vitest webpack'
    .split(' ')
    .flatMap((program) => [`npx ${program} *`, `pnpm ${program} *`, `pnpm exec ${program} *`, `yarn ${program} *`]),
  `
  npm t
  xargs eslint *
  xargs npx eslint *
  xargs npx prettier *
  xargs prettier *
  xargs sed -i *
  npm ci *
  npm i
  npm audit
  npm pkg get *
  npm prune *
  npm rebuild *
  npm exec -- *
  pnpm i
  pnpm install --frozen-lockfile
  pnpm build *
  pnpm lint *
  pnpm -r run *
  pnpm -r test *
  yarn
  yarn install --frozen-lockfile
  yarn install --immutable
  yarn build *
  yarn lint *
  bun test *
  bundle exec *
  bundle install
  composer install
  dotnet build *
  just *
  npx ng *
  xcodebuild test *
  dotnet test *
  dotnet run *
  dotnet format *
  swift build *
  swift test *
  pip install -r requirements.txt
  pip install -r requirements-dev.txt
  pip install -e .
  pip install -e .[dev]
  pip install .
  pip3 install -r requirements.txt
  poetry install *
  poetry run *
  uv run *
  uv sync *
  uv pip list *
  hatch run *
  pdm run *
  mix deps.get
  bun -e *
  docker-compose ps *
  docker-compose logs *
  docker-compose up *
  docker compose ps *
  docker compose logs *
  docker compose up *
  docker compose down
  docker ps *
  docker logs *
  docker images *
`,
)

/** `:*` would end the host, so the port is written by its first digit. */
const LOCAL_ADDRESSES = ['localhost', '127.0.0.1'].flatMap((host) => [
  `http://${host}/*`,
  `http://${host}`,
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `http://${host}:${digit}*`),
])
const LOCAL_HTTP = commands(
  ...LOCAL_ADDRESSES.flatMap((address) =>
    ['', '-s ', '-S ', '-sS ', '-i ', '-si ', '-I ', '-sI ', '-f ', '-sf ', '-fsS ', '-v ', '-X ', '-s * '].map(
      (options) => (options === '-X ' ? `curl -X * ${address}` : `curl ${options}${address}`),
    ),
  ),
)

export const BUILDING: string[] = [
  ...FILE_TOOLS,
  ...FILE_PROGRAMS,
  ...REMOVALS,
  ...GIT,
  ...LANGUAGES,
  ...TOOLS,
  ...PACKAGE_SCRIPTS,
  ...LOCAL_HTTP,
]

export const BUILDING_ASKS: string[] = [
  'Edit(.git/**)',
  'Edit(**/.git/**)',
  'Edit(.github/**)',
  'mcp__svc__doc_delete',
  ...commands(`
  cargo add *
  cargo install *
  cargo publish *
  curl * ftp*
  curl *://*://*
  curl --proxy *
  curl -x *
  gh pr create *
  git branch --delete *
  git branch -D *
  git checkout --force *
  git clean *
  git push *
  git rebase --exec *
  git rebase -x *
  git checkout .
  git checkout -- .
  git reset --hard *
  git restore .
  git stash clear *
  git stash drop *
  git worktree remove --force *
  go get *
  go install *
  kill *
  pkill *
  killall *
  npm uninstall *
  pip install --user *
  python -m pip install *
  python3 -m pip install *
  rm -r * *
  xargs rm *
`),
]

export const BUILDING_DENIES: string[] = [
  'Edit(**/.env)',
  ...commands(`
  sudo *
  su *
  doas *
`),
]
