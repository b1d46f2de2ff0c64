// Entries for code in text, variables by value, and ways to run a command that need no entry beside its own.
import { expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { decide } from '../../../../services/orchestrator/policy/judge.ts'
import { closedUnder } from './closed-under.ts'

const place = { workingDir: '/work/app', home: '/home/me', closed: closedUnder('/home/me') }
const decided = (entries: string, command: string) => {
  const tools = entries.split(', ').map((entry) => `Bash(${entry})`)
  const policy: ToolPolicy = { mode: 'allow_list', tools }
  return decide(policy, 'Bash', { command }, place)
}

test.each<[entries: string, command: string]>([
  ['python3 - *', "python3 - <<'EOF'\nprint(1)\nEOF"],
  ['python3 - *', "python3 - a b <<'EOF'\nprint(1)\nEOF"],
  ['python3 - *', 'python3 <<EOF\nprint("$X")\nEOF'],
  ['node - *', "node <<'EOF'\nx\nEOF"],
  ['python3 - *', "python3 <<< 'print(1)'"],
  ['python3 -c *', 'python3 -c "print(1)"'],
  ['python3 *', 'python3 a.py'],
  ['git diff *', 'PAGER=cat git diff'],
  ['git rebase *', 'GIT_EDITOR=true git rebase --continue'],
  ['npm run *', 'NODE_OPTIONS=--max-old-space-size=4096 npm run build'],
  ['pytest *', 'PYTHONPATH=src/lib pytest'],
  ['go build *', 'CGO_ENABLED=0 GOOS=linux go build'],
  ['npm start *', 'env PORT=4000 npm start'],
  ['git status *', 'git -c color.ui=never --no-pager status'],
  ['git diff *', 'git -c core.pager=cat diff'],
  ['git diff *', 'git -C /work/app diff'],
  ['git diff *', 'git -C . --no-pager diff'],
  ['git log *', 'bash -c "git log"'],
  ['git log *, ls *', "bash -lc 'git log && ls'"],
  ['git ls-files *, wc *', 'git ls-files | xargs -n 5 wc -l'],
  ['bundle exec *', 'bundle exec rspec spec/a_spec.rb'],
  ['uv run *', 'uv run my-tool'],
  ['source *, pytest *', 'source .venv/bin/activate && pytest'],
])('entries %s cover %s', (entries, command) => {
  expect(decided(entries, command)).toBe('allow')
})

test.each<[entries: string, command: string]>([
  ['python3 *', "python3 - <<'EOF'\nprint(1)\nEOF"],
  ['python3 *', "python3 - a.py <<'EOF'\nprint(1)\nEOF"],
  ['python3 -c *', "python3 <<'EOF'\nprint(1)\nEOF"],
  ['python3 - *', 'python3 -c "print(1)"'],
  ['python3 - *, cat *', 'cat a | python3 -'],
  ['python3 - *', 'python3 - < a'],
  ['python3 - *', 'python3 - <<EOF\n$(rm x)\nEOF'],
  ['node - *', "python3 - <<'EOF'\nprint(1)\nEOF"],
  ['git diff *', 'PAGER=less git diff'],
  ['git diff *', 'GIT_PAGER="cat x" git diff'],
  ['git diff *', 'PAGER=$X git diff'],
  ['git diff *', 'git -c core.pager=less diff'],
  ['git diff *', 'git -c diff.external=x diff'],
  ['git diff *', 'GIT_EXTERNAL_DIFF=x git -c color.ui=never diff'],
  ['python3 - *', "LD_PRELOAD=x python3 <<'EOF'\nx\nEOF"],
  ['git diff *', 'git -C x diff'],
  ['git diff *', 'git -C ../app diff'],
  ['git diff *', 'cd src; git -C /work/app diff'],
  ['git diff *', 'cd $X; git -C . diff'],
  ['git diff *', 'git -p diff'],
  ['git rebase *', 'GIT_EDITOR=./true git rebase --continue'],
  ['npm run *', 'NODE_OPTIONS=--require=./x npm run build'],
  ['npm run *', 'NODE_OPTIONS="--no-warnings --require=./x" npm run build'],
  ['pytest *', 'PYTHONPATH=../x pytest'],
  ['pytest *', 'PYTHONPATH=/tmp pytest'],
  ['pytest *', 'PYTHONPATH=.:/tmp pytest'],
  ['npm start *', 'env NODE_OPTIONS=-r=./x npm start'],
  ['git log *', 'bash -c "git log; rm x"'],
  ['git log *', 'bash -c "$X"'],
  ['git log *', 'BASH_ENV=x bash -c "git log"'],
  ['git log *', 'bash --rcfile x -c "git log"'],
  ['git log *', 'bash -c "git log" > x'],
  ['git ls-files *, git log *', 'git ls-files | xargs git log'],
  ['wc *', 'xargs rm'],
  ['bundle exec *', 'bundle exec rm -rf x'],
  ['bundle exec *', 'bundle exec sh -c x'],
  ['bundle exec *', 'bundle exec ./x'],
  ['bundle exec *', 'bundle exec env x'],
  ['bundle *', 'bundle exec "$X"'],
  ['uv run *', 'uv run python3 -c "x"'],
  ['npx *', 'npx some-package'],
  ['source *', 'source ./x'],
  ['source *', 'source ../.venv/bin/activate'],
])('entries %s do not cover %s', (entries, command) => {
  expect(decided(entries, command)).toBe('deny')
})

test.each([
  'docker run -v /etc:/x a',
  'docker run -v/etc:/x a',
  'docker run --volume=/etc:/x a',
  'docker run -v ../x:/x a',
  'docker run --mount type=bind,source=/etc,target=/x a',
  'docker run --mount=type=bind,src=/etc,dst=/x a',
  'ln -s ../../x src/x',
  'ln -s /etc x',
  'ln -s ../x y',
])('refuses a path outside in the form that the program takes: %s', (command) => {
  expect(decide({ mode: 'allow_all' }, 'Bash', { command }, place)).toBe('deny')
})

test.each([
  'docker run -v "$PWD":/app a',
  'docker run -v "$PWD/src:/app:ro" a',
  'docker run --mount type=bind,source=/work/app/src,target=/app a',
  'ln -s ../config/a src/a',
])('allows a path inside in the form that the program takes: %s', (command) => {
  expect(decide({ mode: 'allow_all' }, 'Bash', { command }, place)).toBe('allow')
})
