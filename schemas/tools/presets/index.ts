// Policies that `policy: NAME` finds without a manifest.
import { canonical } from '../../members.ts'
import { policyMembers } from '../named-policy.ts'
import type { ToolPolicy } from '../policy.ts'
import { BUILDING, BUILDING_ASKS, BUILDING_DENIES } from './building.ts'
import { commands } from './command-entries.ts'
import { READERS_ELSEWHERE, READING, SECRET_FILES, WRITING_READERS } from './reading.ts'

const PUBLISHING = commands(`
  npm publish *
  pnpm publish *
  yarn publish *
  yarn npm publish *
`)

const FORCED = commands(`
  git push --force *
  git push --force-with-lease *
  git push --mirror *
  git push --delete *
  git push --prune *
  git push * +*
`)

const CHANGES_ELSEWHERE = commands(`
  docker push *
  gh pr merge *
  gh release create *
  gh release delete *
  gh release upload *
  gh repo delete *
  gh secret set *
  gh workflow run *
  helm install *
  helm uninstall *
  helm upgrade *
  kubectl apply *
  kubectl create *
  kubectl delete *
  kubectl edit *
  kubectl exec *
  kubectl patch *
  kubectl replace *
  kubectl rollout *
  kubectl scale *
  kubectl set *
  terraform apply *
  terraform destroy *
  terraform import *
  terraform state *
`)

const WRITTEN: Record<string, ToolPolicy & { description: string }> = {
  reviewer: {
    description: 'Reads files, history and pull requests; asks before it runs anything else',
    mode: 'allow_list',
    tools: READING,
    ask: [...WRITING_READERS, ...READERS_ELSEWHERE],
    deny: [
      'Edit',
      'MultiEdit',
      'NotebookEdit',
      'Write',
      'mcp__svc__doc_delete',
      'mcp__svc__memory_forget',
      ...SECRET_FILES,
      ...commands(`
  git add *
  git commit *
  git push *
  rm *
  sudo *
`),
    ],
    otherwise: 'ask',
  },
  builder: {
    description: 'Edits, builds and tests; asks before it pushes, adds dependencies or removes folders',
    mode: 'allow_list',
    tools: [...READING, ...BUILDING],
    ask: [...BUILDING_ASKS, ...CHANGES_ELSEWHERE, ...READERS_ELSEWHERE],
    deny: [...SECRET_FILES, ...BUILDING_DENIES, ...PUBLISHING],
    otherwise: 'ask',
  },
  releaser: {
    description: 'A builder that pushes its own branch, tags and opens pull requests; asks before it publishes',
    mode: 'allow_list',
    tools: [
      ...READING,
      ...BUILDING,
      ...commands(`
  gh pr create *
  git push origin svc/*
  git push -u origin svc/*
  git push --set-upstream origin svc/*
  git tag *
  npm pack *
`),
    ],
    ask: [
      ...BUILDING_ASKS.filter((entry) => entry !== 'Bash(git push *)' && entry !== 'Bash(gh pr create *)'),
      ...CHANGES_ELSEWHERE,
      ...READERS_ELSEWHERE,
      ...PUBLISHING,
      ...commands(`
  git push *:main
  git push *:master
  git push * main
  git push * master
  git push --all *
  git push --tags *
  git tag -d *
  git tag --delete *
`),
    ],
    deny: [...SECRET_FILES, ...BUILDING_DENIES, ...FORCED],
    otherwise: 'ask',
  },
  careful: {
    description: 'Runs what no list names; asks before changes that are hard to undo. For an agent beside a person',
    mode: 'deny_list',
    tools: ['Read(~/.ssh/**)', 'Edit(~/.ssh/**)'],
    ask: [
      ...SECRET_FILES,
      ...BUILDING_ASKS.filter((entry) => entry !== 'Bash(rm -r * *)' && !entry.startsWith('Bash(curl ')),
      ...BUILDING_DENIES,
      ...PUBLISHING,
      ...CHANGES_ELSEWHERE,
      ...READERS_ELSEWHERE,
      'mcp__github__create_*',
      'mcp__github__delete_*',
      'mcp__github__merge_*',
      'mcp__github__push_*',
      ...commands(`
  chmod -R *
  chown *
  crontab *
  curl *
  dd *
  docker compose down -v *
  docker compose down --volumes *
  docker system prune *
  docker volume rm *
  find * -delete
  mkfs*
  npm create *
  npm init *
  npm install -g *
  npx -y *
  npx --yes *
  npx create-*
  reboot *
  rm -r *
  shred *
  shutdown *
  systemctl *
  wget *
`),
    ],
  },
  open: {
    description: 'Every tool inside the directories of the agent',
    mode: 'allow_all',
  },
}

/** Built-in policies in canonical form. */
export const PRESETS = Object.entries(WRITTEN).map(([name, policy]) => ({ name, ...canonical(policyMembers, policy) }))
