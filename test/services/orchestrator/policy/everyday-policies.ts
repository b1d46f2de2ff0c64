// Four policies for everyday work, with entries as people write them.
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'

const bash = (commands: string) =>
  commands
    .trim()
    .split(/\s*\n\s*|\s*,\s*/)
    .map((command) => `Bash(${command} *)`)

const READING = bash(`
  cat, head, tail, wc, ls, stat, file, du, nl, diff, comm, cmp, sort, uniq, cut, tr, jq, grep, rg, find, fd, tree, pwd
  echo, printf, true, test, [, [[, date, basename, dirname, realpath, which, read, cd, exit, sleep, sed -n
  git status, git log, git diff, git show, git branch, git ls-files, git grep, git blame, git rev-parse, git remote
  gh pr view, gh pr list, gh pr diff, gh issue view, git
`)

const BUILDING = bash(`
  npm run, npm test, npm start, npm ci, npx jest, npx eslint, npx tsc, npx vitest, pytest, python3 -m pytest, python, python3
  node, node -e, node -p, node -, python3 -c, python -c, python3 -, python -, perl -pe, go build, go test, cargo test
  make, tsc, eslint, bundle exec, kill, mkdir, touch, cp, mv, source, ln, sed
  git add, git commit, git checkout, git stash, git rebase, xargs npx eslint, xargs git add, xargs sed
  docker compose
`).concat('Bash(curl -s http://localhost:3000/*)')

export const POLICIES: Record<'reviewer' | 'builder' | 'careful' | 'open', ToolPolicy> = {
  reviewer: { mode: 'allow_list', tools: ['Read', 'Grep', 'Glob', 'LS', ...READING] },
  builder: { mode: 'allow_list', tools: ['Read', 'Grep', 'Glob', 'LS', 'Write', 'Edit', ...READING, ...BUILDING] },
  careful: {
    mode: 'deny_list',
    tools: [
      ...bash('rm -rf, git push, git reset --hard, curl, wget, sudo, kubectl delete, terraform apply, npm publish'),
      'Read(~/.ssh/**)',
    ],
  },
  open: { mode: 'allow_all' },
}
