--
-- PostgreSQL database dump
--

\restrict 7LCuconMPMoEXbD7UB0RJoBe9rlb5Gubym6JfQQWBfPQW9GBZn8VkWP2AM0bdTB

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
    source character varying(255) NOT NULL,
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
    source character varying(255) NOT NULL,
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
    name character varying(255) NOT NULL,
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
    delivered_at character varying(30)
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
-- Name: controller_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations ALTER COLUMN id SET DEFAULT nextval('public.controller_migrations_id_seq'::regclass);


--
-- Name: controller_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.controller_migrations_lock_index_seq'::regclass);


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
-- Data for Name: controller_drift; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_drift VALUES ('596593a8-e92d-44c3-a480-3e37efa96516', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', '1c061e98-aa3e-4afb-a239-16f02e993842', 'PUT /agents/{id}/policy', '2026-11-22T01:10:32.828Z', '2026-11-22T01:10:32.870Z', 'reverted');
INSERT INTO public.controller_drift VALUES ('1d69e5c0-d756-46bd-989f-938ea7b3c4c8', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', '7c67f313-7fcf-451e-9bb1-c31ca02a2a04', 'PUT /agents/{id}/policy', '2026-11-22T01:10:32.901Z', '2026-11-22T01:10:32.901Z', NULL);


--
-- Data for Name: controller_inventory; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_inventory VALUES ('policies', 'ask-first', 'default', 'policies/ask-first.yml', 1, 1, 'ask-first', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"ask-first","mode":"require_approval","tools":[],"description":null}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('policies', 'readers', 'default', 'policies/readers.yml', 1, 1, 'readers', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"readers","mode":"allow_list","tools":["Grep","Read"],"description":null}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'writer', 'default', 'agents/writer.yml', 1, 1, '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:xVcbW0coq+zQuWL5fnGesVVgBbQPiZNdxxjHBGNJIOvWCug3I7YxNrQ="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'by-hand', 'default', 'workflows/by-hand.yml', 1, 1, '0ec1a383-680b-446b-ab0c-83de08bdcd15', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/writer"]', '{"name":"by-hand","agent":"writer","trigger":{"type":"manual"},"prompt_template":"Do {{title}}\n","poll_interval_secs":60,"enabled":true,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'builder', 'default', 'agents/builder.yml', 1, 1, 'a46579a9-6831-416d-9647-6b788e042329', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/ask-first"]', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'hook', 'default', 'workflows/hook.yml', 1, 1, '9c56af09-0c4a-4327-bb92-8dd0f4af8ba8', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/reader"]', '{"name":"hook","agent":"reader","trigger":{"type":"webhook","secret":{"$sealed":"sealed:v1:qEdRH5TRz9UcZmzpfHcMGwp7buvDxjRH5SeMVTDR47cGZKFTCjWA"}},"prompt_template":"Read {{title}}\n","poll_interval_secs":60,"enabled":true,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'reader', 'default', 'agents/reader.yml', 1, 1, 'd9b329ea-7add-4d3c-82cc-2784da56e53d', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/readers"]', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '=desired', '[{"type":"Ready","status":"True","reason":"Healthy","message":"running","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T01:10:32.835Z"},{"type":"Drifted","status":"True","reason":"DriftFound","message":"live differs from what was applied; GET /drift says where","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T01:10:32.835Z"}]', NULL);


--
-- Data for Name: controller_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations VALUES (1, '001-inventory-runs-drift', 1, '2026-11-22 01:10:30.717+00');


--
-- Data for Name: controller_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations_lock VALUES (1, 0);


--
-- Data for Name: controller_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_runs VALUES ('7c639749-0853-4ebd-9042-397f86054e0a', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'controller', '2026-11-22T01:10:32.129Z', '2026-11-22T01:10:32.492Z', '{"create":7,"update":0,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL);
INSERT INTO public.controller_runs VALUES ('1491bb57-9554-4c4e-be25-fa9260370ae8', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'tester', '2026-11-22T01:10:32.848Z', '2026-11-22T01:10:32.864Z', '{"create":0,"update":1,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL);


--
-- Data for Name: controller_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_sources VALUES ('default', '/tmp/svc-stand-lP7RwE/project/manifests', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', false, '2026-11-22T01:10:32.877Z');


--
-- Data for Name: controller_steps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_steps VALUES ('7c639749-0853-4ebd-9042-397f86054e0a', 0, 'policies', 'ask-first', 'create', 'done', 'ask-first', NULL, '2026-11-22T01:10:32.139Z', '2026-11-22T01:10:32.164Z');
INSERT INTO public.controller_steps VALUES ('7c639749-0853-4ebd-9042-397f86054e0a', 1, 'policies', 'readers', 'create', 'done', 'readers', NULL, '2026-11-22T01:10:32.139Z', '2026-11-22T01:10:32.168Z');
INSERT INTO public.controller_steps VALUES ('7c639749-0853-4ebd-9042-397f86054e0a', 2, 'agents', 'writer', 'create', 'done', '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', NULL, '2026-11-22T01:10:32.139Z', '2026-11-22T01:10:32.223Z');
INSERT INTO public.controller_steps VALUES ('7c639749-0853-4ebd-9042-397f86054e0a', 5, 'workflows', 'by-hand', 'create', 'done', '0ec1a383-680b-446b-ab0c-83de08bdcd15', NULL, '2026-11-22T01:10:32.231Z', '2026-11-22T01:10:32.257Z');
INSERT INTO public.controller_steps VALUES ('7c639749-0853-4ebd-9042-397f86054e0a', 3, 'agents', 'builder', 'create', 'done', 'a46579a9-6831-416d-9647-6b788e042329', NULL, '2026-11-22T01:10:32.231Z', '2026-11-22T01:10:32.372Z');
INSERT INTO public.controller_steps VALUES ('7c639749-0853-4ebd-9042-397f86054e0a', 4, 'agents', 'reader', 'create', 'done', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', NULL, '2026-11-22T01:10:32.231Z', '2026-11-22T01:10:32.374Z');
INSERT INTO public.controller_steps VALUES ('7c639749-0853-4ebd-9042-397f86054e0a', 6, 'workflows', 'hook', 'create', 'done', '9c56af09-0c4a-4327-bb92-8dd0f4af8ba8', NULL, '2026-11-22T01:10:32.395Z', '2026-11-22T01:10:32.466Z');
INSERT INTO public.controller_steps VALUES ('1491bb57-9554-4c4e-be25-fa9260370ae8', 0, 'agents', 'reader', 'update', 'done', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', NULL, '2026-11-22T01:10:32.854Z', '2026-11-22T01:10:32.861Z');


--
-- Data for Name: orchestrator_agents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_agents VALUES (3, 'a46579a9-6831-416d-9647-6b788e042329', 'builder', 'running', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', 'bcfb7cd0a03f34624b54a166af37c6da9a99bc86f5e609d8e1337fe4781234f1', '/tmp/svc-stand-lP7RwE/data/launch/a46579a9-6831-416d-9647-6b788e042329.json', NULL, 1, 0, NULL, '[]', false, '6e4f2db8-cdc9-478d-9256-2833f7254501', '1.0.0', 1, 0.0008286, 28, '["5f7f796c-1674-493f-98d5-bf20795775d1"]', '2026-11-22T01:10:32.243Z', '2026-11-22T01:10:32.320Z');
INSERT INTO public.orchestrator_agents VALUES (2, 'd9b329ea-7add-4d3c-82cc-2784da56e53d', 'reader', 'running', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"deny_all"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"on-failure"}', '8f0a71068f55b38c98fb13c52b6bbfd2c9dc409e0434a97edbf6361b4127e947', '/tmp/svc-stand-lP7RwE/data/launch/d9b329ea-7add-4d3c-82cc-2784da56e53d.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T01:10:32.242Z', '2026-11-22T01:10:32.891Z');
INSERT INTO public.orchestrator_agents VALUES (4, '73c31051-d078-4cc6-af7f-821358ad5e35', 'guest', 'running', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:B//Zc9q/LwMW+Gh6nFXjssPZrYkSYtj3itKPpKZEzUWZ7Qu0dvTR8A=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"never"}', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:II5DP61+bqgmKmCI+pgzt5T5kgbIug52B4OlItc/0rzO/2I5DWWZSA=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"never"}', '4555c5e0d3dc48f389cac41f1267e243cc68f155ed6a7b96641eb803f8663354', '/tmp/svc-stand-lP7RwE/data/launch/73c31051-d078-4cc6-af7f-821358ad5e35.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T01:10:32.617Z', '2026-11-22T01:10:32.643Z');
INSERT INTO public.orchestrator_agents VALUES (1, '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', 'writer', 'running', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:pyqP60aASbBM9rA+tp8Ke24c9z9axITDtq1MrwNlYiF9P894SWGhP5M="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:nCm1FjxZ7RgTR0zHDOPE+TnDW/8u5DF43nsYtAmdSiQz8wP87mRpbbg="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"restart":"always"}', 'b61c17939e313d95cbd866e699cee67cac8c9d26c7c83d97f2040f649d0ed883', '/tmp/svc-stand-lP7RwE/data/launch/25c9db3a-f04f-4273-ac9b-dea5a3b127a8.json', NULL, 1, 0, NULL, '[]', false, '323bb6f8-87b9-47ed-b506-a35ada837fc3', '1.0.0', 1, 0.00030015, 13, '["8cb5b71c-866b-44d5-865b-0ab5559a1b3b","0f3a4f31-df68-46b5-a0cb-e1d11d7f29ef"]', '2026-11-22T01:10:32.171Z', '2026-11-22T01:10:32.213Z');


--
-- Data for Name: orchestrator_approvals; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_approvals VALUES (1, 'ee5a3f99-ed68-4fdc-8a3e-499765507b08', 'a46579a9-6831-416d-9647-6b788e042329', '0e29396d-2d12-44a2-86e6-9ec91ddf82ca', 'Bash', '{"command":"echo decided","description":"Run a command"}', 'b6b8c85e66e91e5e66c1557f488ae5b393761b484a83ba6cb6e8605ac58bf275', 1, 1, 'approved', 'once', NULL, 'tester', NULL, '2026-11-22T01:10:32.959Z', '2126-10-29T01:10:32.959Z', '2026-11-22T01:10:32.969Z', '2026-11-22T01:10:32.975Z');
INSERT INTO public.orchestrator_approvals VALUES (2, '17db2970-86bd-4a05-9575-65dbdf00e07f', 'a46579a9-6831-416d-9647-6b788e042329', '33d8e35e-3d19-4b8f-b1bb-057d34bb0d00', 'Bash', '{"command":"echo pending","description":"Run a command"}', 'ce43324873b0aa3ac7fc5f51cb0a8fa058846e9c55874c880fa296a8b1db9386', 1, 1, 'pending', NULL, NULL, NULL, NULL, '2026-11-22T01:10:33.061Z', '2126-10-29T01:10:33.061Z', NULL, NULL);


--
-- Data for Name: orchestrator_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_audit VALUES (1, 'policies', 'readers', '', 'controller', '7c639749-0853-4ebd-9042-397f86054e0a', 'controller', '2026-11-22T01:10:32.155Z');
INSERT INTO public.orchestrator_audit VALUES (2, 'policies', 'ask-first', '', 'controller', '7c639749-0853-4ebd-9042-397f86054e0a', 'controller', '2026-11-22T01:10:32.155Z');
INSERT INTO public.orchestrator_audit VALUES (3, 'agents', '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', '', 'controller', '7c639749-0853-4ebd-9042-397f86054e0a', 'controller', '2026-11-22T01:10:32.173Z');
INSERT INTO public.orchestrator_audit VALUES (4, 'agents', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', '', 'controller', '7c639749-0853-4ebd-9042-397f86054e0a', 'controller', '2026-11-22T01:10:32.247Z');
INSERT INTO public.orchestrator_audit VALUES (5, 'agents', 'a46579a9-6831-416d-9647-6b788e042329', '', 'controller', '7c639749-0853-4ebd-9042-397f86054e0a', 'controller', '2026-11-22T01:10:32.248Z');
INSERT INTO public.orchestrator_audit VALUES (6, 'workflows', '0ec1a383-680b-446b-ab0c-83de08bdcd15', '', 'controller', '7c639749-0853-4ebd-9042-397f86054e0a', 'controller', '2026-11-22T01:10:32.254Z');
INSERT INTO public.orchestrator_audit VALUES (7, 'workflows', '9c56af09-0c4a-4327-bb92-8dd0f4af8ba8', '', 'controller', '7c639749-0853-4ebd-9042-397f86054e0a', 'controller', '2026-11-22T01:10:32.429Z');
INSERT INTO public.orchestrator_audit VALUES (8, 'agents', '73c31051-d078-4cc6-af7f-821358ad5e35', '', 'tester', '2c7d77cf-23da-4051-b5b8-f8922109e868', 'POST /agents', '2026-11-22T01:10:32.619Z');
INSERT INTO public.orchestrator_audit VALUES (9, 'agents', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', 'tool_policy.mode', 'tester', '1c061e98-aa3e-4afb-a239-16f02e993842', 'PUT /agents/{id}/policy', '2026-11-22T01:10:32.818Z');
INSERT INTO public.orchestrator_audit VALUES (10, 'agents', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', 'tool_policy.tools', 'tester', '1c061e98-aa3e-4afb-a239-16f02e993842', 'PUT /agents/{id}/policy', '2026-11-22T01:10:32.818Z');
INSERT INTO public.orchestrator_audit VALUES (11, 'agents', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', 'tool_policy.mode', 'controller', '1491bb57-9554-4c4e-be25-fa9260370ae8', 'controller', '2026-11-22T01:10:32.858Z');
INSERT INTO public.orchestrator_audit VALUES (12, 'agents', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', 'tool_policy.tools', 'controller', '1491bb57-9554-4c4e-be25-fa9260370ae8', 'controller', '2026-11-22T01:10:32.858Z');
INSERT INTO public.orchestrator_audit VALUES (13, 'agents', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', 'tool_policy.mode', 'tester', '7c67f313-7fcf-451e-9bb1-c31ca02a2a04', 'PUT /agents/{id}/policy', '2026-11-22T01:10:32.892Z');
INSERT INTO public.orchestrator_audit VALUES (14, 'agents', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', 'tool_policy.tools', 'tester', '7c67f313-7fcf-451e-9bb1-c31ca02a2a04', 'PUT /agents/{id}/policy', '2026-11-22T01:10:32.892Z');


--
-- Data for Name: orchestrator_dispatches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_dispatches VALUES (1, '98aeb88e-13eb-42ab-a1ce-af245c42b886', '0ec1a383-680b-446b-ab0c-83de08bdcd15', 'manual:c6a5bea0-db48-4d04-bb69-ff2cd289aad1', '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', 'Do a task
', 'completed', 'manual', 1, NULL, 'ECHO(1): Do a task
', '{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":2,"total_cost_usd":0.0000915,"num_turns":1,"duration_ms":1,"duration_api_ms":5,"result_count":1}', '2026-11-22T01:10:32.762Z', '2026-11-22T01:10:32.768Z', '2026-11-22T01:10:32.796Z');


--
-- Data for Name: orchestrator_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations VALUES (1, '001-core', 1, '2026-11-22 01:10:30.667+00');


--
-- Data for Name: orchestrator_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations_lock VALUES (1, 0);


--
-- Data for Name: orchestrator_policies; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_policies VALUES ('ask-first', 'require_approval', '[]', NULL, 1, '2026-11-22T01:10:32.148Z', '2026-11-22T01:10:32.148Z');
INSERT INTO public.orchestrator_policies VALUES ('readers', 'allow_list', '["Grep","Read"]', NULL, 1, '2026-11-22T01:10:32.149Z', '2026-11-22T01:10:32.149Z');


--
-- Data for Name: orchestrator_prompts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_prompts VALUES (1, 'c2ff2773-ac54-4a86-a6e8-e5ed2f66b07a', '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', 'dispatch', 1, 'Do a task
', '98aeb88e-13eb-42ab-a1ce-af245c42b886', NULL, 'done', NULL, '2026-11-22T01:10:32.763Z', '2026-11-22T01:10:32.768Z', '2026-11-22T01:10:32.795Z');
INSERT INTO public.orchestrator_prompts VALUES (2, 'fcb7cd7b-0780-47b7-851a-6af6f433c113', 'a46579a9-6831-416d-9647-6b788e042329', 'message', 1, 'USE_TOOL Bash echo decided', NULL, NULL, 'done', NULL, '2026-11-22T01:10:32.929Z', '2026-11-22T01:10:32.935Z', '2026-11-22T01:10:33.007Z');
INSERT INTO public.orchestrator_prompts VALUES (3, 'fb0e3bc8-8d7f-492c-b44a-3bba88094de4', 'a46579a9-6831-416d-9647-6b788e042329', 'message', 1, 'USE_TOOL Bash echo pending', NULL, NULL, 'sent', NULL, '2026-11-22T01:10:33.030Z', '2026-11-22T01:10:33.038Z', NULL);
INSERT INTO public.orchestrator_prompts VALUES (4, '5aee57ad-f783-4ccc-af31-d1f2561cf155', '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', 'message', 1, 'a message that is done', NULL, NULL, 'done', NULL, '2026-11-22T01:10:33.082Z', '2026-11-22T01:10:33.091Z', '2026-11-22T01:10:33.110Z');
INSERT INTO public.orchestrator_prompts VALUES (5, 'c4873844-6d8c-41aa-8a6e-5401004bda07', '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', 'message', 1, 'SLOW 600000 a turn that is cut short', NULL, NULL, 'sent', NULL, '2026-11-22T01:10:33.122Z', '2026-11-22T01:10:33.128Z', NULL);
INSERT INTO public.orchestrator_prompts VALUES (6, 'd81643c4-ed1b-4278-aa2b-c9ac066c756b', '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', 'message', 1, 'a message that waits', NULL, NULL, 'queued', NULL, '2026-11-22T01:10:33.143Z', NULL, NULL);


--
-- Data for Name: orchestrator_sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_sessions VALUES ('d9b329ea-7add-4d3c-82cc-2784da56e53d', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T01:10:32.245Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('73c31051-d078-4cc6-af7f-821358ad5e35', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T01:10:32.619Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('a46579a9-6831-416d-9647-6b788e042329', 1, 83, 28, 7, 42, 0.0008286, 2, 50, 28, 1, '2026-11-22T01:10:32.246Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('25c9db3a-f04f-4273-ac9b-dea5a3b127a8', 1, 21, 13, 3, 11, 0.00030015, 2, 1, 13, 2, '2026-11-22T01:10:32.173Z', NULL);


--
-- Data for Name: orchestrator_workflows; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_workflows VALUES (1, '0ec1a383-680b-446b-ab0c-83de08bdcd15', 'by-hand', '25c9db3a-f04f-4273-ac9b-dea5a3b127a8', '{"type":"manual"}', 'Do {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-22T01:10:32.247Z', '2026-11-22T01:10:32.247Z');
INSERT INTO public.orchestrator_workflows VALUES (2, '9c56af09-0c4a-4327-bb92-8dd0f4af8ba8', 'hook', 'd9b329ea-7add-4d3c-82cc-2784da56e53d', '{"type":"webhook","secret":{"$sealed":"sealed:v1:A2yo1MqjZsX912zz3zbDQCEl/DPZo7vBml5BtZffMgCi/U5WwHHt"}}', 'Read {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-22T01:10:32.421Z', '2026-11-22T01:10:32.421Z');


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_id_seq', 1, true);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_lock_index_seq', 1, true);


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

SELECT pg_catalog.setval('public.orchestrator_audit_seq_seq', 14, true);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_dispatches_seq_seq', 1, true);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_id_seq', 1, true);


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
-- Name: controller_drift_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_kind_name_index ON public.controller_drift USING btree (kind, name);


--
-- Name: controller_drift_last_seen_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_last_seen_index ON public.controller_drift USING btree (last_seen);


--
-- Name: controller_drift_resolution_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_resolution_index ON public.controller_drift USING btree (resolution);


--
-- Name: controller_inventory_source_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_inventory_source_index ON public.controller_inventory USING btree (source);


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
-- Name: orchestrator_approvals_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_status_index ON public.orchestrator_approvals USING btree (status);


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

\unrestrict 7LCuconMPMoEXbD7UB0RJoBe9rlb5Gubym6JfQQWBfPQW9GBZn8VkWP2AM0bdTB

