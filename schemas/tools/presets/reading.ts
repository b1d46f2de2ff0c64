// Entries of calls that read and change nothing.
import { commands, programs } from './command-entries.ts'

const TOOLS = [
  'Read',
  'Grep',
  'Glob',
  'LS',
  'NotebookRead',
  'WebSearch',
  'ToolSearch',
  // Their own tool calls are judged again.
  'Agent',
  'Skill',
  'SlashCommand',
  'SendMessage',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'TodoRead',
  'TodoWrite',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'TaskUpdate',
  'KillShell',
  'ListMcpResourcesTool',
  'ReadMcpResourceTool',
  'mcp__github__get_*',
  'mcp__github__list_*',
  'mcp__github__search_*',
  'mcp__svc__doc_list',
  'mcp__svc__doc_read',
  'mcp__svc__memory_search',
]

const FILE_READERS = programs(`
  awk basename cat cd cksum cloc cmp column comm cut df diff dirname du echo egrep expand expr false fgrep file find fmt
  fold grep groups head hexdump id join jq ls lsof man md5sum nl nproc od paste pgrep pidof popd printf ps pushd pwd
  readlink realpath rev rg seq sha1sum sha256sum sleep sort stat strings tac tail test tokei tr tree true type uname
  uniq uptime wait wc which whoami xargs xmllint xxd yq [
`)

/** The code in the text is judged separately. */
const SHELLS = commands(`
  bash -c *
  bash -lc *
  sh -c *
  command -v *
  sed -n *
  gofmt -l *
  locale
  tar -tf *
  tar -tvf *
  tar -tzf *
  unzip -l *
  date
  date +*
  date -u *
  hostname
  read f
  read file
  read line
  read -r f
  read -r file
  read -r line
`)

const GIT = commands(`
  git blame *
  git branch
  git branch -a
  git branch -r
  git branch -v
  git branch -vv
  git branch -av
  git branch --all
  git branch --list *
  git branch --contains *
  git branch --merged *
  git branch --show-current
  git cat-file *
  git check-ignore *
  git cherry *
  git config --get *
  git config --get-all *
  git config --get-regexp *
  git config --list *
  git config -l
  git count-objects *
  git describe *
  git diff *
  git diff-index *
  git diff-tree *
  git for-each-ref *
  git grep *
  git help *
  git log *
  git ls-files *
  git ls-remote *
  git ls-tree *
  git merge-base *
  git name-rev *
  git range-diff *
  git reflog
  git reflog show *
  git remote
  git remote -v
  git remote get-url *
  git remote show *
  git rev-list *
  git rev-parse *
  git shortlog *
  git show *
  git show-branch *
  git show-ref *
  git stash list *
  git stash show *
  git status *
  git submodule status *
  git symbolic-ref --short HEAD
  git tag
  git tag -l *
  git tag --list *
  git tag -n*
  git var *
  git version
  git whatchanged *
  git worktree list *
`)

const FORGE = commands(`
  gh auth status *
  gh issue list *
  gh issue status *
  gh issue view *
  gh label list *
  gh pr checks *
  gh pr diff *
  gh pr list *
  gh pr status *
  gh pr view *
  gh release list *
  gh release view *
  gh repo list *
  gh repo view *
  gh run list *
  gh run view *
  gh run watch *
  gh search *
  gh workflow list *
  gh workflow view *
  glab issue list *
  glab issue view *
  glab mr diff *
  glab mr list *
  glab mr view *
`)

const VERSIONS = [
  ...commands(
    ...'bun cargo cmake deno docker eslint gcc gh git java make mypy node npm npx pip pip3 pnpm psql pytest python python3 ruby ruff rustc rustup tsc uv vitest yarn'
      .split(' ')
      .map((program) => `${program} --version`),
  ),
  ...commands(`
  go version
  java -version
  node -v
  npm -v
  pnpm -v
  python -V
  python3 -V
  yarn -v
`),
]

const PACKAGES = commands(`
  cargo metadata *
  cargo tree *
  go doc *
  go env
  go list *
  npm explain *
  npm list *
  npm ls *
  npm outdated *
  npm query *
  npm view *
  npm why *
  pip check
  pip freeze *
  pip list *
  pip show *
  pip3 list *
  pip3 show *
  pnpm list *
  pnpm why *
  yarn list *
  yarn why *
`)

export const READING: string[] = [...TOOLS, ...FILE_READERS, ...SHELLS, ...GIT, ...FORGE, ...VERSIONS, ...PACKAGES]

/** Readers that write by an option. */
export const WRITING_READERS: string[] = commands(`
  yq -i *
  yq --inplace *
  sed -i *
  sort -o *
  sort --output *
  git * --output*
  find * -delete
  find * -fprint*
  find * -fls *
  xxd -r *
  tree -o *
  tree * -o *
`)

/** Readers of remote data, with an address that is not a name in the configuration. */
export const READERS_ELSEWHERE: string[] = commands(`
  git ls-remote *:/*
  git ls-remote *@*
  git remote show *:/*
  git remote show *@*
  npm * --registry*
  npm view *:/*
`)

export const SECRET_FILES: string[] = [
  'Read(**/.env)',
  'Read(**/.env.local)',
  'Read(**/.env.production)',
  'Read(secrets/**)',
  ...commands(`
  * .env
  * .env *
  */.env
  */.env *
  * .env.local
  * .env.local *
  */.env.local
  */.env.local *
`),
]
