--
-- PostgreSQL database dump
--

\restrict v2RjvuSknjC492gLfHolbvOmhBaKUSqa0Zcc77lbbMwgWANKidTm3dt1blJ6UCv

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: controller_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_audit_seq_seq OWNED BY public.controller_audit.seq;


--
-- Name: controller_drift; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_drift (
    id character varying(255) NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    path character varying(1024) NOT NULL,
    desired text NOT NULL,
    live text NOT NULL,
    last_applied text NOT NULL,
    actor character varying(255),
    request_id character varying(255),
    endpoint character varying(1024),
    first_seen character varying(255) NOT NULL,
    last_seen character varying(255) NOT NULL,
    resolution character varying(255)
);


--
-- Name: controller_inventory; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_inventory (
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    source character varying(4096) NOT NULL,
    file character varying(4096) NOT NULL,
    line integer NOT NULL,
    "column" integer NOT NULL,
    live_id character varying(255),
    revision character varying(255),
    sync text NOT NULL,
    depends_on text NOT NULL,
    desired text NOT NULL,
    applied text,
    conditions text NOT NULL,
    deferred_since character varying(255)
);


--
-- Name: controller_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_migrations_id_seq OWNED BY public.controller_migrations.id;


--
-- Name: controller_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_migrations_lock_index_seq OWNED BY public.controller_migrations_lock.index;


--
-- Name: controller_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_runs (
    id character varying(255) NOT NULL,
    source character varying(4096) NOT NULL,
    revision character varying(255),
    status character varying(255) NOT NULL,
    actor character varying(255) NOT NULL,
    started_at character varying(255) NOT NULL,
    ended_at character varying(255),
    summary text NOT NULL,
    error text
);


--
-- Name: controller_sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_sources (
    name character varying(4096) NOT NULL,
    location character varying(4096) NOT NULL,
    revision character varying(255),
    suspended boolean NOT NULL,
    observed_at character varying(255)
);


--
-- Name: controller_steps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_steps (
    run_id character varying(255) NOT NULL,
    seq integer NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    action character varying(255) NOT NULL,
    status character varying(255) NOT NULL,
    live_id character varying(255),
    error text,
    started_at character varying(255),
    ended_at character varying(255)
);


--
-- Name: host_leases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_leases (
    name character varying(256) NOT NULL,
    holder character varying(36) NOT NULL,
    token bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: host_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: host_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.host_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: host_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.host_migrations_id_seq OWNED BY public.host_migrations.id;


--
-- Name: host_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.host_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.host_migrations_lock_index_seq OWNED BY public.host_migrations_lock.index;


--
-- Name: orchestrator_agents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_agents (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name text NOT NULL,
    status character varying(16) NOT NULL,
    config text NOT NULL,
    launched_config text,
    token_hash character varying(64),
    launch_file text,
    worktree text,
    launches integer DEFAULT 0 NOT NULL,
    restarts integer DEFAULT 0 NOT NULL,
    last_error text,
    warnings text DEFAULT '[]'::text NOT NULL,
    prompt_due boolean DEFAULT false NOT NULL,
    program_session text,
    program_version text,
    session_number integer DEFAULT 1 NOT NULL,
    cost_seen double precision DEFAULT '0'::double precision NOT NULL,
    api_ms_seen double precision DEFAULT '0'::double precision NOT NULL,
    seen_frames text DEFAULT '[]'::text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_agents_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_agents_seq_seq OWNED BY public.orchestrator_agents.seq;


--
-- Name: orchestrator_approvals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_approvals (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    agent_id character varying(36) NOT NULL,
    request_id text NOT NULL,
    tool_name text NOT NULL,
    tool_input text NOT NULL,
    input_digest character varying(64) NOT NULL,
    launch integer NOT NULL,
    session_number integer NOT NULL,
    status character varying(16) NOT NULL,
    scope character varying(16),
    updated_input text,
    decided_by character varying(256),
    reason text,
    created_at character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL,
    decided_at character varying(30),
    delivered_at character varying(30),
    cause character varying(16)
);


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_approvals_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_approvals_seq_seq OWNED BY public.orchestrator_approvals.seq;


--
-- Name: orchestrator_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_audit_seq_seq OWNED BY public.orchestrator_audit.seq;


--
-- Name: orchestrator_dispatches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_dispatches (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    workflow_id character varying(36) NOT NULL,
    source_id text NOT NULL,
    agent_id character varying(36) NOT NULL,
    prompt_sent text NOT NULL,
    status character varying(16) NOT NULL,
    trigger_type character varying(32) NOT NULL,
    attempt integer NOT NULL,
    error text,
    result text,
    usage text,
    created_at character varying(30) NOT NULL,
    dispatched_at character varying(30),
    completed_at character varying(30)
);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_dispatches_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_dispatches_seq_seq OWNED BY public.orchestrator_dispatches.seq;


--
-- Name: orchestrator_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_migrations_id_seq OWNED BY public.orchestrator_migrations.id;


--
-- Name: orchestrator_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_migrations_lock_index_seq OWNED BY public.orchestrator_migrations_lock.index;


--
-- Name: orchestrator_policies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_policies (
    name character varying(256) NOT NULL,
    mode character varying(32) NOT NULL,
    tools text NOT NULL,
    description text,
    version integer DEFAULT 1 NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_prompts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_prompts (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    agent_id character varying(36) NOT NULL,
    kind character varying(16) NOT NULL,
    rank integer NOT NULL,
    content text NOT NULL,
    dispatch_id character varying(36),
    policy text,
    status character varying(16) NOT NULL,
    error text,
    created_at character varying(30) NOT NULL,
    sent_at character varying(30),
    done_at character varying(30)
);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_prompts_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_prompts_seq_seq OWNED BY public.orchestrator_prompts.seq;


--
-- Name: orchestrator_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_sessions (
    agent_id character varying(36) NOT NULL,
    number integer NOT NULL,
    input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    output_tokens double precision DEFAULT '0'::double precision NOT NULL,
    cache_read_input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    cache_creation_input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    total_cost_usd double precision DEFAULT '0'::double precision NOT NULL,
    num_turns double precision DEFAULT '0'::double precision NOT NULL,
    duration_ms double precision DEFAULT '0'::double precision NOT NULL,
    duration_api_ms double precision DEFAULT '0'::double precision NOT NULL,
    result_count double precision DEFAULT '0'::double precision NOT NULL,
    started_at character varying(30),
    ended_at character varying(30)
);


--
-- Name: orchestrator_trigger_cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_trigger_cursors (
    workflow_id character varying(36) NOT NULL,
    cursor text NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_workflows; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_workflows (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name character varying(256) NOT NULL,
    agent_id character varying(36) NOT NULL,
    trigger_config text NOT NULL,
    prompt_template text NOT NULL,
    poll_interval_secs integer NOT NULL,
    enabled boolean NOT NULL,
    tool_policy text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_workflows_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_workflows_seq_seq OWNED BY public.orchestrator_workflows.seq;


--
-- Name: controller_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_audit ALTER COLUMN seq SET DEFAULT nextval('public.controller_audit_seq_seq'::regclass);


--
-- Name: controller_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations ALTER COLUMN id SET DEFAULT nextval('public.controller_migrations_id_seq'::regclass);


--
-- Name: controller_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.controller_migrations_lock_index_seq'::regclass);


--
-- Name: host_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations ALTER COLUMN id SET DEFAULT nextval('public.host_migrations_id_seq'::regclass);


--
-- Name: host_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.host_migrations_lock_index_seq'::regclass);


--
-- Name: orchestrator_agents seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_agents_seq_seq'::regclass);


--
-- Name: orchestrator_approvals seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_approvals_seq_seq'::regclass);


--
-- Name: orchestrator_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_audit ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_audit_seq_seq'::regclass);


--
-- Name: orchestrator_dispatches seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_dispatches_seq_seq'::regclass);


--
-- Name: orchestrator_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations ALTER COLUMN id SET DEFAULT nextval('public.orchestrator_migrations_id_seq'::regclass);


--
-- Name: orchestrator_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.orchestrator_migrations_lock_index_seq'::regclass);


--
-- Name: orchestrator_prompts seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_prompts_seq_seq'::regclass);


--
-- Name: orchestrator_workflows seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_workflows_seq_seq'::regclass);


--
-- Data for Name: controller_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_audit VALUES (1, 'operation', 'controller.revertDrift agents/reader', '', 'tester', 'bc147213-e218-40c3-b5c7-f2c01d2c211e', 'POST /drift/{kind}/{name}/revert', '2026-11-22T01:10:51.700Z');


--
-- Data for Name: controller_drift; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_drift VALUES ('078f065f-1e3a-4dde-9f25-253e740898ec', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', 'b9818ea4-ea00-4747-924c-bd9666bef83b', 'PUT /agents/{id}/policy', '2026-11-22T01:10:51.650Z', '2026-11-22T01:10:51.697Z', 'reverted');
INSERT INTO public.controller_drift VALUES ('b4128606-ae2f-4454-b906-f571b7554d64', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', '4dbe2ac5-5f15-482d-b5db-d2fe59c3e933', 'PUT /agents/{id}/policy', '2026-11-22T01:10:51.717Z', '2026-11-22T01:10:51.717Z', NULL);


--
-- Data for Name: controller_inventory; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_inventory VALUES ('policies', 'readers', 'default', 'policies/readers.yml', 1, 1, 'readers', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"readers","mode":"allow_list","tools":["Grep","Read"],"description":null}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('policies', 'ask-first', 'default', 'policies/ask-first.yml', 1, 1, 'ask-first', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"ask-first","mode":"require_approval","tools":[],"description":null}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'writer', 'default', 'agents/writer.yml', 1, 1, 'e5c33dd7-97a5-4472-831f-c0d587c996b8', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:qk0ASzcCYDzci89uk2VO4A7iRKNoVwEQMrCVDSrDsoOS/gddQfjN/b4="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'by-hand', 'default', 'workflows/by-hand.yml', 1, 1, '8ac203fc-3b7c-4a81-b699-60d88b4b255b', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/writer"]', '{"name":"by-hand","agent":"writer","trigger":{"type":"manual"},"prompt_template":"Do {{title}}\n","poll_interval_secs":60,"enabled":true,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'builder', 'default', 'agents/builder.yml', 1, 1, '96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/ask-first"]', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'hook', 'default', 'workflows/hook.yml', 1, 1, 'ba8ad612-3916-457c-b3fb-e4946888f131', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/reader"]', '{"name":"hook","agent":"reader","trigger":{"type":"webhook","secret":{"$sealed":"sealed:v1:HBbv1xgrHQCtOKS4mCqB0gAHYeaQsqcI1MUtflsufc/FP8aS5OcD"}},"prompt_template":"Read {{title}}\n","poll_interval_secs":60,"enabled":true,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'reader', 'default', 'agents/reader.yml', 1, 1, 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/readers"]', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '=desired', '[{"type":"Ready","status":"True","reason":"Healthy","message":"running","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T01:10:51.658Z"},{"type":"Drifted","status":"True","reason":"DriftFound","message":"live differs from what was applied; GET /drift says where","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T01:10:51.658Z"}]', NULL);


--
-- Data for Name: controller_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations VALUES (1, '001-inventory-runs-drift', 1, '2026-11-22 01:10:49.534+00');
INSERT INTO public.controller_migrations VALUES (2, '002-audit', 1, '2026-11-22 01:10:49.54+00');
INSERT INTO public.controller_migrations VALUES (3, '003-page-indexes', 1, '2026-11-22 01:10:49.546+00');


--
-- Data for Name: controller_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations_lock VALUES (1, 0);


--
-- Data for Name: controller_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_runs VALUES ('059cbee1-9e99-40a2-bc08-09804fae304b', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'controller', '2026-11-22T01:10:50.924Z', '2026-11-22T01:10:51.459Z', '{"create":7,"update":0,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL);
INSERT INTO public.controller_runs VALUES ('e706e95c-cc9a-4506-9927-e1a80a0d3535', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'tester', '2026-11-22T01:10:51.675Z', '2026-11-22T01:10:51.692Z', '{"create":0,"update":1,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL);


--
-- Data for Name: controller_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_sources VALUES ('default', '/tmp/svc-stand-NjjdrP/project/manifests', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', false, '2026-11-22T01:10:51.700Z');


--
-- Data for Name: controller_steps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_steps VALUES ('059cbee1-9e99-40a2-bc08-09804fae304b', 1, 'policies', 'readers', 'create', 'done', 'readers', NULL, '2026-11-22T01:10:51.010Z', '2026-11-22T01:10:51.052Z');
INSERT INTO public.controller_steps VALUES ('059cbee1-9e99-40a2-bc08-09804fae304b', 0, 'policies', 'ask-first', 'create', 'done', 'ask-first', NULL, '2026-11-22T01:10:51.009Z', '2026-11-22T01:10:51.051Z');
INSERT INTO public.controller_steps VALUES ('059cbee1-9e99-40a2-bc08-09804fae304b', 2, 'agents', 'writer', 'create', 'done', 'e5c33dd7-97a5-4472-831f-c0d587c996b8', NULL, '2026-11-22T01:10:51.010Z', '2026-11-22T01:10:51.120Z');
INSERT INTO public.controller_steps VALUES ('059cbee1-9e99-40a2-bc08-09804fae304b', 5, 'workflows', 'by-hand', 'create', 'done', '8ac203fc-3b7c-4a81-b699-60d88b4b255b', NULL, '2026-11-22T01:10:51.128Z', '2026-11-22T01:10:51.237Z');
INSERT INTO public.controller_steps VALUES ('059cbee1-9e99-40a2-bc08-09804fae304b', 4, 'agents', 'reader', 'create', 'done', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', NULL, '2026-11-22T01:10:51.128Z', '2026-11-22T01:10:51.343Z');
INSERT INTO public.controller_steps VALUES ('059cbee1-9e99-40a2-bc08-09804fae304b', 3, 'agents', 'builder', 'create', 'done', '96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', NULL, '2026-11-22T01:10:51.128Z', '2026-11-22T01:10:51.344Z');
INSERT INTO public.controller_steps VALUES ('059cbee1-9e99-40a2-bc08-09804fae304b', 6, 'workflows', 'hook', 'create', 'done', 'ba8ad612-3916-457c-b3fb-e4946888f131', NULL, '2026-11-22T01:10:51.360Z', '2026-11-22T01:10:51.446Z');
INSERT INTO public.controller_steps VALUES ('e706e95c-cc9a-4506-9927-e1a80a0d3535', 0, 'agents', 'reader', 'update', 'done', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', NULL, '2026-11-22T01:10:51.679Z', '2026-11-22T01:10:51.683Z');


--
-- Data for Name: host_leases; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: host_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_migrations VALUES (1, '001-leases', 1, '2026-11-22 01:10:49.303+00');


--
-- Data for Name: host_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_migrations_lock VALUES (1, 0);


--
-- Data for Name: orchestrator_agents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_agents VALUES (3, '96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', 'builder', 'running', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', 'd7c1fc6c2f829f343f47603ee36093d044e643ea51c740a1e5981f25ad7d5fb0', '/tmp/svc-stand-NjjdrP/data/launch/96a6ec59-cd5a-4a91-8dd5-22ad5813d89c.json', NULL, 1, 0, NULL, '[]', false, '00c870ba-5bda-4dbd-b6ee-e7f69a451cbc', '1.0.0', 1, 0.0008286, 28, '["92ef6ded-35c6-4744-84b5-d16b4d04a70f"]', '2026-11-22T01:10:51.212Z', '2026-11-22T01:10:51.331Z');
INSERT INTO public.orchestrator_agents VALUES (2, 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', 'reader', 'running', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"deny_all"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '96a103b94f548fee05722d82b020e2f8468b69c348c0a00be5a83a20e634a000', '/tmp/svc-stand-NjjdrP/data/launch/f196c7e2-94ff-4d5d-bc39-efe4e352d472.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T01:10:51.213Z', '2026-11-22T01:10:51.712Z');
INSERT INTO public.orchestrator_agents VALUES (4, 'd75304f7-f437-4c66-93a5-8cd4ed612312', 'guest', 'running', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:1B24vwOOY9DhDuWV6IqLomK+i3yLrapLEGqtPE66PMTfwm/JXPtTSA=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"never"}', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:ycpezfvIqm5m9sYUcKa/Ycin4wqvg2av5M5ZxjVIAn8mksavHoYVaQ=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"never"}', '84c537d5b524c6be06217e252286fb5949cd618f34807e1837aafd65e650962d', '/tmp/svc-stand-NjjdrP/data/launch/d75304f7-f437-4c66-93a5-8cd4ed612312.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T01:10:51.511Z', '2026-11-22T01:10:51.530Z');
INSERT INTO public.orchestrator_agents VALUES (1, 'e5c33dd7-97a5-4472-831f-c0d587c996b8', 'writer', 'running', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:hSQ3WLKZ47eqLVT+/fcRbAq1XZHhNgE19PISTTPv69/YxNfE5HHEfpA="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:GcYOdr6qX16pCPGLQM05gLx1S0wDcejLece1WrQaxs46h8SlY+PHSJw="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', 'a6474286b53af0041852094d280ca7b22f6bd683609e383aad4b53f19277c680', '/tmp/svc-stand-NjjdrP/data/launch/e5c33dd7-97a5-4472-831f-c0d587c996b8.json', NULL, 1, 0, NULL, '[]', false, 'e201dcc5-32fc-447e-adad-c8e0dd2e4752', '1.0.0', 1, 0.00030015, 13, '["7ba058e8-05c1-4d20-a58f-c1b23a22185e","b34de566-6c1d-4ad3-b9a2-c53583e85f02"]', '2026-11-22T01:10:51.046Z', '2026-11-22T01:10:51.102Z');


--
-- Data for Name: orchestrator_approvals; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_approvals VALUES (1, '2130031b-0e71-45c4-a0da-49b1a5abe9e6', '96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', '246553a6-0200-4f32-97dc-36361c62708a', 'Bash', '{"command":"echo decided","description":"Run a command"}', 'b6b8c85e66e91e5e66c1557f488ae5b393761b484a83ba6cb6e8605ac58bf275', 1, 1, 'approved', 'once', NULL, 'tester', NULL, '2026-11-22T01:10:51.755Z', '2126-10-29T01:10:51.755Z', '2026-11-22T01:10:51.767Z', '2026-11-22T01:10:51.770Z', NULL);
INSERT INTO public.orchestrator_approvals VALUES (2, '2de50485-5ad3-4c03-8a33-f962d8df2bd8', '96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', 'b0782f03-1763-4cd8-b34c-e72b2989c317', 'Bash', '{"command":"echo pending","description":"Run a command"}', 'ce43324873b0aa3ac7fc5f51cb0a8fa058846e9c55874c880fa296a8b1db9386', 1, 1, 'pending', NULL, NULL, NULL, NULL, '2026-11-22T01:10:51.810Z', '2126-10-29T01:10:51.810Z', NULL, NULL, NULL);


--
-- Data for Name: orchestrator_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_audit VALUES (1, 'policies', 'ask-first', '', 'controller', '059cbee1-9e99-40a2-bc08-09804fae304b', 'controller', '2026-11-22T01:10:51.037Z');
INSERT INTO public.orchestrator_audit VALUES (2, 'policies', 'readers', '', 'controller', '059cbee1-9e99-40a2-bc08-09804fae304b', 'controller', '2026-11-22T01:10:51.039Z');
INSERT INTO public.orchestrator_audit VALUES (3, 'agents', 'e5c33dd7-97a5-4472-831f-c0d587c996b8', '', 'controller', '059cbee1-9e99-40a2-bc08-09804fae304b', 'controller', '2026-11-22T01:10:51.051Z');
INSERT INTO public.orchestrator_audit VALUES (4, 'workflows', '8ac203fc-3b7c-4a81-b699-60d88b4b255b', '', 'controller', '059cbee1-9e99-40a2-bc08-09804fae304b', 'controller', '2026-11-22T01:10:51.209Z');
INSERT INTO public.orchestrator_audit VALUES (5, 'agents', '96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', '', 'controller', '059cbee1-9e99-40a2-bc08-09804fae304b', 'controller', '2026-11-22T01:10:51.233Z');
INSERT INTO public.orchestrator_audit VALUES (6, 'agents', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', '', 'controller', '059cbee1-9e99-40a2-bc08-09804fae304b', 'controller', '2026-11-22T01:10:51.233Z');
INSERT INTO public.orchestrator_audit VALUES (7, 'workflows', 'ba8ad612-3916-457c-b3fb-e4946888f131', '', 'controller', '059cbee1-9e99-40a2-bc08-09804fae304b', 'controller', '2026-11-22T01:10:51.430Z');
INSERT INTO public.orchestrator_audit VALUES (8, 'agents', 'd75304f7-f437-4c66-93a5-8cd4ed612312', '', 'tester', '129c3a8d-5604-4cc3-89e8-1303cafc3df4', 'POST /agents', '2026-11-22T01:10:51.513Z');
INSERT INTO public.orchestrator_audit VALUES (9, 'operation', 'orchestrator.triggerWorkflow 8ac203fc-3b7c-4a81-b699-60d88b4b255b', '', 'tester', 'eb14fb54-d4bb-4e45-93ae-85acb07f6edc', 'POST /workflows/{id}/trigger', '2026-11-22T01:10:51.612Z');
INSERT INTO public.orchestrator_audit VALUES (10, 'agents', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', 'tool_policy.mode', 'tester', 'b9818ea4-ea00-4747-924c-bd9666bef83b', 'PUT /agents/{id}/policy', '2026-11-22T01:10:51.648Z');
INSERT INTO public.orchestrator_audit VALUES (11, 'agents', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', 'tool_policy.tools', 'tester', 'b9818ea4-ea00-4747-924c-bd9666bef83b', 'PUT /agents/{id}/policy', '2026-11-22T01:10:51.648Z');
INSERT INTO public.orchestrator_audit VALUES (12, 'agents', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', 'tool_policy.mode', 'controller', 'e706e95c-cc9a-4506-9927-e1a80a0d3535', 'controller', '2026-11-22T01:10:51.681Z');
INSERT INTO public.orchestrator_audit VALUES (13, 'agents', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', 'tool_policy.tools', 'controller', 'e706e95c-cc9a-4506-9927-e1a80a0d3535', 'controller', '2026-11-22T01:10:51.681Z');
INSERT INTO public.orchestrator_audit VALUES (14, 'agents', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', 'tool_policy.mode', 'tester', '4dbe2ac5-5f15-482d-b5db-d2fe59c3e933', 'PUT /agents/{id}/policy', '2026-11-22T01:10:51.713Z');
INSERT INTO public.orchestrator_audit VALUES (15, 'agents', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', 'tool_policy.tools', 'tester', '4dbe2ac5-5f15-482d-b5db-d2fe59c3e933', 'PUT /agents/{id}/policy', '2026-11-22T01:10:51.713Z');
INSERT INTO public.orchestrator_audit VALUES (16, 'operation', 'orchestrator.sendMessage 96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', '', 'tester', '4cf34c83-dc15-42d3-ad70-819dece9e610', 'POST /agents/{id}/message', '2026-11-22T01:10:51.741Z');
INSERT INTO public.orchestrator_audit VALUES (17, 'operation', 'orchestrator.approve 2130031b-0e71-45c4-a0da-49b1a5abe9e6', '', 'tester', '5c17f49a-6662-4686-be2c-f39e6acead85', 'POST /approvals/{id}/approve', '2026-11-22T01:10:51.773Z');
INSERT INTO public.orchestrator_audit VALUES (18, 'operation', 'orchestrator.sendMessage 96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', '', 'tester', '7c5f5d9a-76af-453b-9f92-95b6e6b25cd6', 'POST /agents/{id}/message', '2026-11-22T01:10:51.808Z');
INSERT INTO public.orchestrator_audit VALUES (19, 'operation', 'orchestrator.sendMessage e5c33dd7-97a5-4472-831f-c0d587c996b8', '', 'tester', 'bdba570c-f34d-4b22-b64f-e4192fd767dc', 'POST /agents/{id}/message', '2026-11-22T01:10:51.827Z');
INSERT INTO public.orchestrator_audit VALUES (20, 'operation', 'orchestrator.sendMessage e5c33dd7-97a5-4472-831f-c0d587c996b8', '', 'tester', '73113b9f-c8a0-4fa9-8edd-acc712780914', 'POST /agents/{id}/message', '2026-11-22T01:10:51.847Z');
INSERT INTO public.orchestrator_audit VALUES (21, 'operation', 'orchestrator.sendMessage e5c33dd7-97a5-4472-831f-c0d587c996b8', '', 'tester', 'cb3650bc-750e-4c74-bc8e-8add03981de0', 'POST /agents/{id}/message', '2026-11-22T01:10:51.861Z');


--
-- Data for Name: orchestrator_dispatches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_dispatches VALUES (1, 'e48779c1-5af9-40ab-b553-58a3a24a4ebd', '8ac203fc-3b7c-4a81-b699-60d88b4b255b', 'manual:428e242f-3d01-404d-a852-9198b65a383d', 'e5c33dd7-97a5-4472-831f-c0d587c996b8', 'Do a task
', 'completed', 'manual', 1, NULL, 'ECHO(1): Do a task
', '{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":2,"total_cost_usd":0.0000915,"num_turns":1,"duration_ms":2,"duration_api_ms":5,"result_count":1}', '2026-11-22T01:10:51.607Z', '2026-11-22T01:10:51.614Z', '2026-11-22T01:10:51.631Z');


--
-- Data for Name: orchestrator_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations VALUES (1, '001-core', 1, '2026-11-22 01:10:49.372+00');
INSERT INTO public.orchestrator_migrations VALUES (2, '002-trigger-cursors', 1, '2026-11-22 01:10:49.376+00');
INSERT INTO public.orchestrator_migrations VALUES (3, '003-approval-causes', 1, '2026-11-22 01:10:49.381+00');
INSERT INTO public.orchestrator_migrations VALUES (4, '004-page-indexes', 1, '2026-11-22 01:10:49.388+00');


--
-- Data for Name: orchestrator_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations_lock VALUES (1, 0);


--
-- Data for Name: orchestrator_policies; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_policies VALUES ('ask-first', 'require_approval', '[]', NULL, 1, '2026-11-22T01:10:51.020Z', '2026-11-22T01:10:51.020Z');
INSERT INTO public.orchestrator_policies VALUES ('readers', 'allow_list', '["Grep","Read"]', NULL, 1, '2026-11-22T01:10:51.025Z', '2026-11-22T01:10:51.025Z');


--
-- Data for Name: orchestrator_prompts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_prompts VALUES (1, '3bcc6fbd-1b4e-46a2-bd6e-342258d6bdde', 'e5c33dd7-97a5-4472-831f-c0d587c996b8', 'dispatch', 1, 'Do a task
', 'e48779c1-5af9-40ab-b553-58a3a24a4ebd', NULL, 'done', NULL, '2026-11-22T01:10:51.608Z', '2026-11-22T01:10:51.613Z', '2026-11-22T01:10:51.630Z');
INSERT INTO public.orchestrator_prompts VALUES (2, 'e01e7e1f-40b8-43b7-82e6-5936c7243bf7', '96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', 'message', 1, 'USE_TOOL Bash echo decided', NULL, NULL, 'done', NULL, '2026-11-22T01:10:51.735Z', '2026-11-22T01:10:51.739Z', '2026-11-22T01:10:51.785Z');
INSERT INTO public.orchestrator_prompts VALUES (3, '0eafc6a3-dff4-44d4-8406-4d84261d1391', '96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', 'message', 1, 'USE_TOOL Bash echo pending', NULL, NULL, 'sent', NULL, '2026-11-22T01:10:51.799Z', '2026-11-22T01:10:51.803Z', NULL);
INSERT INTO public.orchestrator_prompts VALUES (4, 'a07fd02f-18f7-4871-adbd-93bed9d30b50', 'e5c33dd7-97a5-4472-831f-c0d587c996b8', 'message', 1, 'a message that is done', NULL, NULL, 'done', NULL, '2026-11-22T01:10:51.818Z', '2026-11-22T01:10:51.823Z', '2026-11-22T01:10:51.832Z');
INSERT INTO public.orchestrator_prompts VALUES (5, '532be94b-d9ce-4018-9d5e-697e7a60d4a2', 'e5c33dd7-97a5-4472-831f-c0d587c996b8', 'message', 1, 'SLOW 600000 a turn that is cut short', NULL, NULL, 'sent', NULL, '2026-11-22T01:10:51.838Z', '2026-11-22T01:10:51.845Z', NULL);
INSERT INTO public.orchestrator_prompts VALUES (6, 'e8275b28-7d52-48c1-a919-1b6ae170245f', 'e5c33dd7-97a5-4472-831f-c0d587c996b8', 'message', 1, 'a message that waits', NULL, NULL, 'queued', NULL, '2026-11-22T01:10:51.857Z', NULL, NULL);


--
-- Data for Name: orchestrator_sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_sessions VALUES ('f196c7e2-94ff-4d5d-bc39-efe4e352d472', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T01:10:51.225Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('d75304f7-f437-4c66-93a5-8cd4ed612312', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T01:10:51.512Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('96a6ec59-cd5a-4a91-8dd5-22ad5813d89c', 1, 83, 28, 7, 42, 0.0008286, 2, 36, 28, 1, '2026-11-22T01:10:51.224Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('e5c33dd7-97a5-4472-831f-c0d587c996b8', 1, 21, 13, 3, 11, 0.00030015, 2, 2, 13, 2, '2026-11-22T01:10:51.048Z', NULL);


--
-- Data for Name: orchestrator_trigger_cursors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_workflows; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_workflows VALUES (1, '8ac203fc-3b7c-4a81-b699-60d88b4b255b', 'by-hand', 'e5c33dd7-97a5-4472-831f-c0d587c996b8', '{"type":"manual"}', 'Do {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-22T01:10:51.203Z', '2026-11-22T01:10:51.203Z');
INSERT INTO public.orchestrator_workflows VALUES (2, 'ba8ad612-3916-457c-b3fb-e4946888f131', 'hook', 'f196c7e2-94ff-4d5d-bc39-efe4e352d472', '{"type":"webhook","secret":{"$sealed":"sealed:v1:a24lO65o/hTNBV/mpIoxDs04k2yf3EUe9O32nUwQqoAMUl543o+0"}}', 'Read {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-22T01:10:51.415Z', '2026-11-22T01:10:51.415Z');


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_audit_seq_seq', 1, true);


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_id_seq', 3, true);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_lock_index_seq', 1, true);


--
-- Name: host_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.host_migrations_id_seq', 1, true);


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.host_migrations_lock_index_seq', 1, true);


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_agents_seq_seq', 4, true);


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_approvals_seq_seq', 2, true);


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_audit_seq_seq', 21, true);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_dispatches_seq_seq', 1, true);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_id_seq', 4, true);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_lock_index_seq', 1, true);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_prompts_seq_seq', 6, true);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_workflows_seq_seq', 2, true);


--
-- Name: controller_audit controller_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_audit
    ADD CONSTRAINT controller_audit_pkey PRIMARY KEY (seq);


--
-- Name: controller_drift controller_drift_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_drift
    ADD CONSTRAINT controller_drift_pkey PRIMARY KEY (id);


--
-- Name: controller_inventory controller_inventory_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_inventory
    ADD CONSTRAINT controller_inventory_pkey PRIMARY KEY (kind, name);


--
-- Name: controller_migrations_lock controller_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock
    ADD CONSTRAINT controller_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: controller_migrations controller_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations
    ADD CONSTRAINT controller_migrations_pkey PRIMARY KEY (id);


--
-- Name: controller_runs controller_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_runs
    ADD CONSTRAINT controller_runs_pkey PRIMARY KEY (id);


--
-- Name: controller_sources controller_sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sources
    ADD CONSTRAINT controller_sources_pkey PRIMARY KEY (name);


--
-- Name: controller_steps controller_steps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_pkey PRIMARY KEY (run_id, seq);


--
-- Name: host_leases host_leases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_leases
    ADD CONSTRAINT host_leases_pkey PRIMARY KEY (name);


--
-- Name: host_migrations_lock host_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations_lock
    ADD CONSTRAINT host_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: host_migrations host_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations
    ADD CONSTRAINT host_migrations_pkey PRIMARY KEY (id);


--
-- Name: orchestrator_agents orchestrator_agents_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents
    ADD CONSTRAINT orchestrator_agents_id_unique UNIQUE (id);


--
-- Name: orchestrator_agents orchestrator_agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents
    ADD CONSTRAINT orchestrator_agents_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_approvals orchestrator_approvals_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals
    ADD CONSTRAINT orchestrator_approvals_id_unique UNIQUE (id);


--
-- Name: orchestrator_approvals orchestrator_approvals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals
    ADD CONSTRAINT orchestrator_approvals_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_audit orchestrator_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_audit
    ADD CONSTRAINT orchestrator_audit_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_dispatches orchestrator_dispatches_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches
    ADD CONSTRAINT orchestrator_dispatches_id_unique UNIQUE (id);


--
-- Name: orchestrator_dispatches orchestrator_dispatches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches
    ADD CONSTRAINT orchestrator_dispatches_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_migrations_lock orchestrator_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations_lock
    ADD CONSTRAINT orchestrator_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: orchestrator_migrations orchestrator_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations
    ADD CONSTRAINT orchestrator_migrations_pkey PRIMARY KEY (id);


--
-- Name: orchestrator_policies orchestrator_policies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_policies
    ADD CONSTRAINT orchestrator_policies_pkey PRIMARY KEY (name);


--
-- Name: orchestrator_prompts orchestrator_prompts_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts
    ADD CONSTRAINT orchestrator_prompts_id_unique UNIQUE (id);


--
-- Name: orchestrator_prompts orchestrator_prompts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts
    ADD CONSTRAINT orchestrator_prompts_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_sessions orchestrator_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_sessions
    ADD CONSTRAINT orchestrator_sessions_pkey PRIMARY KEY (agent_id, number);


--
-- Name: orchestrator_trigger_cursors orchestrator_trigger_cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_trigger_cursors
    ADD CONSTRAINT orchestrator_trigger_cursors_pkey PRIMARY KEY (workflow_id);


--
-- Name: orchestrator_workflows orchestrator_workflows_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_id_unique UNIQUE (id);


--
-- Name: orchestrator_workflows orchestrator_workflows_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_name_unique UNIQUE (name);


--
-- Name: orchestrator_workflows orchestrator_workflows_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_pkey PRIMARY KEY (seq);


--
-- Name: controller_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_audit_kind_resource_id_index ON public.controller_audit USING btree (kind, resource_id);


--
-- Name: controller_drift_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_kind_name_index ON public.controller_drift USING btree (kind, name);


--
-- Name: controller_drift_kind_name_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_kind_name_last_seen_id_page ON public.controller_drift USING btree (kind, name, last_seen, id);


--
-- Name: controller_drift_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_last_seen_id_page ON public.controller_drift USING btree (last_seen, id);


--
-- Name: controller_drift_last_seen_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_last_seen_index ON public.controller_drift USING btree (last_seen);


--
-- Name: controller_drift_resolution_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_resolution_index ON public.controller_drift USING btree (resolution);


--
-- Name: controller_drift_resolution_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_resolution_last_seen_id_page ON public.controller_drift USING btree (resolution, last_seen, id);


--
-- Name: controller_inventory_source_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_inventory_source_index ON public.controller_inventory USING btree (source);


--
-- Name: controller_runs_started_at_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_started_at_id_page ON public.controller_runs USING btree (started_at, id);


--
-- Name: controller_runs_started_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_started_at_index ON public.controller_runs USING btree (started_at);


--
-- Name: controller_runs_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_status_index ON public.controller_runs USING btree (status);


--
-- Name: controller_steps_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_steps_kind_name_index ON public.controller_steps USING btree (kind, name);


--
-- Name: orchestrator_agents_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_agents_status_index ON public.orchestrator_agents USING btree (status);


--
-- Name: orchestrator_approvals_agent_id_request_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_request_id_index ON public.orchestrator_approvals USING btree (agent_id, request_id);


--
-- Name: orchestrator_approvals_agent_id_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_seq_page ON public.orchestrator_approvals USING btree (agent_id, seq);


--
-- Name: orchestrator_approvals_agent_id_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_status_seq_page ON public.orchestrator_approvals USING btree (agent_id, status, seq);


--
-- Name: orchestrator_approvals_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_status_index ON public.orchestrator_approvals USING btree (status);


--
-- Name: orchestrator_approvals_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_status_seq_page ON public.orchestrator_approvals USING btree (status, seq);


--
-- Name: orchestrator_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_audit_kind_resource_id_index ON public.orchestrator_audit USING btree (kind, resource_id);


--
-- Name: orchestrator_dispatches_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_status_index ON public.orchestrator_dispatches USING btree (status);


--
-- Name: orchestrator_dispatches_workflow_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_index ON public.orchestrator_dispatches USING btree (workflow_id);


--
-- Name: orchestrator_dispatches_workflow_id_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_seq_page ON public.orchestrator_dispatches USING btree (workflow_id, seq);


--
-- Name: orchestrator_prompts_agent_id_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_agent_id_status_index ON public.orchestrator_prompts USING btree (agent_id, status);


--
-- Name: orchestrator_workflows_agent_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_workflows_agent_id_index ON public.orchestrator_workflows USING btree (agent_id);


--
-- Name: controller_steps controller_steps_run_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_run_id_foreign FOREIGN KEY (run_id) REFERENCES public.controller_runs(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict v2RjvuSknjC492gLfHolbvOmhBaKUSqa0Zcc77lbbMwgWANKidTm3dt1blJ6UCv

