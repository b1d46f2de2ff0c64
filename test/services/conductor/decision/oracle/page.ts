// The rules in short, as a disagreement cites them, from docs/services/conductor.md and docs/specification/conductor.md;
// for what both leave open, from the design of the conductor.
export const PAGE = {
  restack: "A PR whose base is the head of a merged PR and of no open one: `restack` on that PR's base",
  retarget: 'then `retarget`. With `needs-restack`: only retargeted, nothing above moves',
  rebaseConflict: 'Conflict: abort, retarget all the same, `needs-restack`, post, stop',
  intents: 'Open intents are finished',
  triage: 'Open issues with no labels get `needs-triage`',
  dispatch:
    'Issues labelled `triaged` that carry none of the eight get `agent`. `complexity:large` is held unless also `plan`',
  lock: 'Before a step 2, 3 or 7 that changes over 3 issues: `[LOCK]`, and `[UNLOCK]` come what may',
  nudge: '`review-agent` with no reviewer activity after 30 minutes: nudge, at most once per hour per item. No drafts',
  approve: 'Approved pull requests lacking the three labels get `merge-ready`. No drafts, none with failed checks',
  changesRequested: '`changes-requested`: add `needs-rework`, post, remove `merge-ready`',
  conflicting: '`conflicting`: post, add `needs-restack`',
  checksFailed: '`checks-failed`: comment once per head, post, remove `merge-ready`',
  noApprovals: '`no-approvals`: post `review-needed`',
  gate: '`gate`: post, stop; reported before: none. A gate ends one run, also if its post is left out',
  behind: '`behind`: first of a base: `PUT update-branch`. Forks: never pushed',
  merge: '`eligible`: merge',
  deletion:
    "delete the branch with a lease on the merged head (not main, pipeline base, a fork's, one that moved or whose dependent did)",
  announce: 'merge done: sync, rebase upstack; on conflict escalate; otherwise announce',
  checksFailing:
    '`checks-failing`: oldest failed check of the head over 24 hours, no draft, `merge-ready` when the step began or `checks-failed` of this head was reported',
  queueBlocked:
    '`queue-blocked`: `merge-ready` ones are left, none was merged, each is `held`, `draft`, `conflicting`, `no-approvals`, `gate`, or `parent-open` with no parent or under such a one in the queue',
  rework: '`needs-rework` for more than 15 minutes: add `agent` to the issue, remove the label. No drafts',
  noLinkedIssue: 'No issue: post, label stays',
  reworkStale: '`rework-stale` for what still has it: `needs-rework` over 3 days without activity',
  stale: '`stale`: one post for all new ones; no activity for more than 3 days. Mention with over 5 stale in all',
  noPullRequest:
    '`no-pull-request`: open issue, newest of the five labels; no PR, open or merged since, that references it, after 6 hours',
  digestLines: 'Digest: `metadata.counts`, `.transitions`, a line each',
  digest: 'If a label changed, or something was merged, restacked, retargeted',
  memory: 'Memory, then `conductor-sync` comes off everywhere',
  health:
    '`health` `blocked` when stopped or the queue is, `degraded` when something could not be read or done, else `ok`',
  counts:
    'Counts after the run: issues `needs-triage`; PRs `merge-ready`, `review-agent`, `needs-rework`; distinct heads of PRs, no forks',
  seen: 'the time of a head is the later of its commit, the creation, and the first run that found it in the queue',
  first: '**The first that holds**',
  rules:
    'Rules: `label`, `reviews`, `checks`, `mergeable`, `clear`, `stack`, and of the forge `draft`, `gate`: true, false, or null',
  keys: 'What was reported is not repeated; a key goes when a run that was not stopped finds its situation over',
  stop: '**Stop**: the rest of 1 to 8 is left out; 9 and 10 are done',
} as const
