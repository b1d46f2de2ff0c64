--
-- PostgreSQL database dump
--

\restrict iI3oJbcVOz00GOsQ5rLo2OnHm2BodUdkPIh3GjZZZ7hfHN7LKruHcc9R84JHyD3

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
-- Name: ask_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_audit (
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
-- Name: ask_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_audit_seq_seq OWNED BY public.ask_audit.seq;


--
-- Name: ask_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_migrations_id_seq OWNED BY public.ask_migrations.id;


--
-- Name: ask_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_migrations_lock_index_seq OWNED BY public.ask_migrations_lock.index;


--
-- Name: ask_questions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_questions (
    seq integer NOT NULL,
    question_id character varying(36) NOT NULL,
    notification_id character varying(36),
    check_type character varying(64) NOT NULL,
    question text NOT NULL,
    status character varying(16) NOT NULL,
    asked_at character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL,
    answer text
);


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_questions_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_questions_seq_seq OWNED BY public.ask_questions.seq;


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
-- Name: controller_cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_cursors (
    kind character varying(255) NOT NULL,
    cursor bigint NOT NULL
);


--
-- Name: controller_drift; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_drift (
    id character varying(255) NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    path text NOT NULL,
    desired text NOT NULL,
    live text NOT NULL,
    last_applied text NOT NULL,
    actor character varying(255),
    request_id character varying(255),
    endpoint character varying(1024),
    first_seen character varying(255) NOT NULL,
    last_seen character varying(255) NOT NULL,
    resolution character varying(255),
    writers text DEFAULT '[]'::text NOT NULL,
    applied_digest character varying(255),
    live_digest character varying(255)
);


--
-- Name: controller_intents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_intents (
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    action character varying(255) NOT NULL,
    paths text NOT NULL,
    entry text
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
    deferred_since character varying(255),
    owed character varying(255)
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
    error text,
    diagnostics text DEFAULT '[]'::text NOT NULL,
    has_steps boolean DEFAULT false NOT NULL
);


--
-- Name: controller_sent; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_sent (
    seq integer NOT NULL,
    source character varying(4096) NOT NULL,
    input text NOT NULL
);


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_sent_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_sent_seq_seq OWNED BY public.controller_sent.seq;


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
    expires_at timestamp with time zone NOT NULL,
    about text
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
-- Name: monitor_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_audit (
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
-- Name: monitor_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_audit_seq_seq OWNED BY public.monitor_audit.seq;


--
-- Name: monitor_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_migrations_id_seq OWNED BY public.monitor_migrations.id;


--
-- Name: monitor_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_migrations_lock_index_seq OWNED BY public.monitor_migrations_lock.index;


--
-- Name: notify_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_audit (
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
-- Name: notify_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_audit_seq_seq OWNED BY public.notify_audit.seq;


--
-- Name: notify_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_migrations_id_seq OWNED BY public.notify_migrations.id;


--
-- Name: notify_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_migrations_lock_index_seq OWNED BY public.notify_migrations_lock.index;


--
-- Name: notify_notifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_notifications (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    source text NOT NULL,
    lifetime text NOT NULL,
    title text NOT NULL,
    message text NOT NULL,
    priority character varying(16) NOT NULL,
    requires_response boolean NOT NULL,
    status character varying(16) NOT NULL,
    response text,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    urgency integer NOT NULL,
    open integer NOT NULL,
    due_at character varying(30)
);


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_notifications_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_notifications_seq_seq OWNED BY public.notify_notifications.seq;


--
-- Name: notify_outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_outbox (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    channel character varying(64) NOT NULL,
    subject character varying(64) NOT NULL,
    payload text NOT NULL,
    digest character varying(64) NOT NULL,
    status character varying(16) NOT NULL,
    attempts integer NOT NULL,
    due_at character varying(30) NOT NULL,
    error text,
    created_at character varying(30) NOT NULL,
    ended_at character varying(30)
);


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_outbox_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_outbox_seq_seq OWNED BY public.notify_outbox.seq;


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
    updated_at character varying(30) NOT NULL,
    lost_messages text DEFAULT '[]'::text NOT NULL,
    restart_due boolean DEFAULT false NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    purge_due boolean DEFAULT false NOT NULL
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
    cause character varying(16),
    conversation text
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
    completed_at character varying(30),
    task text,
    depth integer DEFAULT 0 NOT NULL
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
-- Name: orchestrator_firings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_firings (
    workflow_id character varying(36) NOT NULL,
    last_fired_at character varying(30),
    last_error text
);


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
-- Name: orchestrator_queue_tasks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_queue_tasks (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    queue_name character varying(64) NOT NULL,
    status character varying(16) NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    priority integer NOT NULL,
    retry_count integer NOT NULL,
    max_retries integer NOT NULL,
    dispatch_id character varying(36),
    error text,
    created_at character varying(30) NOT NULL,
    visible_at character varying(30) NOT NULL,
    ended_at character varying(30)
);


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_queue_tasks_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_queue_tasks_seq_seq OWNED BY public.orchestrator_queue_tasks.seq;


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
    updated_at character varying(30) NOT NULL,
    on_restart character varying(16)
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
-- Name: wrap_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_audit (
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
-- Name: wrap_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_audit_seq_seq OWNED BY public.wrap_audit.seq;


--
-- Name: wrap_launches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_launches (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    session_name character varying(128) NOT NULL,
    project_path text NOT NULL,
    model_provider text NOT NULL,
    model_name text NOT NULL,
    agent_type character varying(16) NOT NULL,
    created_at character varying(30) NOT NULL
);


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_launches_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_launches_seq_seq OWNED BY public.wrap_launches.seq;


--
-- Name: wrap_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_migrations_id_seq OWNED BY public.wrap_migrations.id;


--
-- Name: wrap_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_migrations_lock_index_seq OWNED BY public.wrap_migrations_lock.index;


--
-- Name: ask_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_audit ALTER COLUMN seq SET DEFAULT nextval('public.ask_audit_seq_seq'::regclass);


--
-- Name: ask_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations ALTER COLUMN id SET DEFAULT nextval('public.ask_migrations_id_seq'::regclass);


--
-- Name: ask_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.ask_migrations_lock_index_seq'::regclass);


--
-- Name: ask_questions seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions ALTER COLUMN seq SET DEFAULT nextval('public.ask_questions_seq_seq'::regclass);


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
-- Name: controller_sent seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sent ALTER COLUMN seq SET DEFAULT nextval('public.controller_sent_seq_seq'::regclass);


--
-- Name: host_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations ALTER COLUMN id SET DEFAULT nextval('public.host_migrations_id_seq'::regclass);


--
-- Name: host_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.host_migrations_lock_index_seq'::regclass);


--
-- Name: monitor_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_audit ALTER COLUMN seq SET DEFAULT nextval('public.monitor_audit_seq_seq'::regclass);


--
-- Name: monitor_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations ALTER COLUMN id SET DEFAULT nextval('public.monitor_migrations_id_seq'::regclass);


--
-- Name: monitor_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.monitor_migrations_lock_index_seq'::regclass);


--
-- Name: notify_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_audit ALTER COLUMN seq SET DEFAULT nextval('public.notify_audit_seq_seq'::regclass);


--
-- Name: notify_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations ALTER COLUMN id SET DEFAULT nextval('public.notify_migrations_id_seq'::regclass);


--
-- Name: notify_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.notify_migrations_lock_index_seq'::regclass);


--
-- Name: notify_notifications seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications ALTER COLUMN seq SET DEFAULT nextval('public.notify_notifications_seq_seq'::regclass);


--
-- Name: notify_outbox seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox ALTER COLUMN seq SET DEFAULT nextval('public.notify_outbox_seq_seq'::regclass);


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
-- Name: orchestrator_queue_tasks seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_queue_tasks_seq_seq'::regclass);


--
-- Name: orchestrator_workflows seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_workflows_seq_seq'::regclass);


--
-- Name: wrap_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_audit ALTER COLUMN seq SET DEFAULT nextval('public.wrap_audit_seq_seq'::regclass);


--
-- Name: wrap_launches seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches ALTER COLUMN seq SET DEFAULT nextval('public.wrap_launches_seq_seq'::regclass);


--
-- Name: wrap_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations ALTER COLUMN id SET DEFAULT nextval('public.wrap_migrations_id_seq'::regclass);


--
-- Name: wrap_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.wrap_migrations_lock_index_seq'::regclass);


--
-- Data for Name: ask_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ask_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ask_migrations VALUES (1, '001-questions', 1, '2026-11-22 08:51:01.224+00');
INSERT INTO public.ask_migrations VALUES (2, '002-audit', 1, '2026-11-22 08:51:01.228+00');


--
-- Data for Name: ask_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ask_migrations_lock VALUES (1, 0);


--
-- Data for Name: ask_questions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: controller_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_audit VALUES (1, 'operation', 'controller.revertDrift agents/reader', '', 'tester', '387b77d3-75f5-4b65-bb17-1e462dcfb3db', 'POST /drift/{kind}/{name}/revert', '2026-11-22T08:51:04.985Z');


--
-- Data for Name: controller_cursors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_cursors VALUES ('policies', 2);
INSERT INTO public.controller_cursors VALUES ('workflows', 7);
INSERT INTO public.controller_cursors VALUES ('agents', 18);


--
-- Data for Name: controller_drift; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_drift VALUES ('2dfc78d3-75de-4297-a927-e85c42b29bfa', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', 'b4128711-fba5-4d3f-911a-e08e3e3d77d7', 'PUT /agents/{id}/policy', '2026-11-22T08:51:04.820Z', '2026-11-22T08:51:04.977Z', 'reverted', '[{"actor":"tester","request_id":"b4128711-fba5-4d3f-911a-e08e3e3d77d7","endpoint":"PUT /agents/{id}/policy","at":"2026-11-22T08:51:04.726Z"}]', '0a4b74ece1daeb9e9bfa2da7206a0c23', '43900e960368026329e251a0a5041d86');
INSERT INTO public.controller_drift VALUES ('6dfcb95a-f55b-4a4f-82d9-967150e9e391', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', '8c72d9e2-4601-401a-b725-d01be1f2a4db', 'PUT /agents/{id}/policy', '2026-11-22T08:51:05.020Z', '2026-11-22T08:51:05.020Z', NULL, '[{"actor":"tester","request_id":"8c72d9e2-4601-401a-b725-d01be1f2a4db","endpoint":"PUT /agents/{id}/policy","at":"2026-11-22T08:51:05.008Z"}]', '0a4b74ece1daeb9e9bfa2da7206a0c23', '43900e960368026329e251a0a5041d86');


--
-- Data for Name: controller_intents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: controller_inventory; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_inventory VALUES ('policies', 'ask-first', 'default', 'policies/ask-first.yml', 1, 1, 'ask-first', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"ask-first","mode":"require_approval","tools":[],"description":null}', '=desired', '[]', NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('policies', 'readers', 'default', 'policies/readers.yml', 1, 1, 'readers', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"readers","mode":"allow_list","tools":["Grep","Read"],"description":null}', '=desired', '[]', NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'writer', 'default', 'agents/writer.yml', 1, 1, '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:FXYn9bEEP+4400wU3D5DoP0zy7ZiC+xMn29yCj9CljvjYIn22gx/TvE="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '=desired', '[]', NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'by-hand', 'default', 'workflows/by-hand.yml', 1, 1, 'c16ff616-2e87-41c2-905d-58e55e0d68b2', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/writer"]', '{"name":"by-hand","agent":"writer","trigger":{"type":"manual"},"prompt_template":"Do {{title}}\n","poll_interval_secs":60,"enabled":true,"on_restart":null,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'builder', 'default', 'agents/builder.yml', 1, 1, 'f23f2235-f861-4afc-8d3e-8787bac8ba09', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/ask-first"]', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '=desired', '[]', NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'hook', 'default', 'workflows/hook.yml', 1, 1, '1f784eba-3d4f-46de-b8fd-23bbc4b81d74', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/reader"]', '{"name":"hook","agent":"reader","trigger":{"type":"webhook","secret":{"$sealed":"sealed:v1:x586qwO6HD78uq4inEG+RgMJSRvhmFNvN8lJp1ELOAJ/dQqszIlP"}},"prompt_template":"Read {{title}}\n","poll_interval_secs":60,"enabled":true,"on_restart":null,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'reader', 'default', 'agents/reader.yml', 1, 1, '0e30501a-2a7b-4412-8d48-8347bb28c75b', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/readers"]', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '=desired', '[{"type":"Ready","status":"True","reason":"Healthy","message":"running","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T08:51:04.847Z"},{"type":"Drifted","status":"True","reason":"DriftFound","message":"live differs from what was applied; GET /drift says where","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T08:51:04.847Z"}]', NULL, NULL);


--
-- Data for Name: controller_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations VALUES (1, '001-inventory-runs-drift', 1, '2026-11-22 08:51:01.046+00');
INSERT INTO public.controller_migrations VALUES (2, '002-audit', 1, '2026-11-22 08:51:01.051+00');
INSERT INTO public.controller_migrations VALUES (3, '003-page-indexes', 1, '2026-11-22 08:51:01.057+00');
INSERT INTO public.controller_migrations VALUES (4, '004-run-diagnostics', 1, '2026-11-22 08:51:01.063+00');
INSERT INTO public.controller_migrations VALUES (5, '005-intents', 1, '2026-11-22 08:51:01.066+00');
INSERT INTO public.controller_migrations VALUES (6, '006-records', 1, '2026-11-22 08:51:01.072+00');
INSERT INTO public.controller_migrations VALUES (7, '007-owed-and-sent', 1, '2026-11-22 08:51:01.079+00');


--
-- Data for Name: controller_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations_lock VALUES (1, 0);


--
-- Data for Name: controller_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_runs VALUES ('83969010-5b7e-46d6-abb1-04079a657c5d', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'controller', '2026-11-22T08:51:02.293Z', '2026-11-22T08:51:04.081Z', '{"create":7,"update":0,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL, '[]', true);
INSERT INTO public.controller_runs VALUES ('7bdb92b3-1e68-43b9-9e4f-b7f2175ebd35', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'tester', '2026-11-22T08:51:04.944Z', '2026-11-22T08:51:04.971Z', '{"create":0,"update":1,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL, '[]', true);


--
-- Data for Name: controller_sent; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: controller_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_sources VALUES ('default', '/tmp/svc-stand-EXM3D9/project/manifests', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', false, '2026-11-22T08:51:04.982Z');


--
-- Data for Name: controller_steps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_steps VALUES ('83969010-5b7e-46d6-abb1-04079a657c5d', 0, 'policies', 'ask-first', 'create', 'done', 'ask-first', NULL, '2026-11-22T08:51:02.600Z', '2026-11-22T08:51:02.649Z');
INSERT INTO public.controller_steps VALUES ('83969010-5b7e-46d6-abb1-04079a657c5d', 1, 'policies', 'readers', 'create', 'done', 'readers', NULL, '2026-11-22T08:51:02.600Z', '2026-11-22T08:51:02.650Z');
INSERT INTO public.controller_steps VALUES ('83969010-5b7e-46d6-abb1-04079a657c5d', 2, 'agents', 'writer', 'create', 'done', '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', NULL, '2026-11-22T08:51:02.600Z', '2026-11-22T08:51:02.815Z');
INSERT INTO public.controller_steps VALUES ('83969010-5b7e-46d6-abb1-04079a657c5d', 5, 'workflows', 'by-hand', 'create', 'done', 'c16ff616-2e87-41c2-905d-58e55e0d68b2', NULL, '2026-11-22T08:51:02.935Z', '2026-11-22T08:51:03.204Z');
INSERT INTO public.controller_steps VALUES ('83969010-5b7e-46d6-abb1-04079a657c5d', 4, 'agents', 'reader', 'create', 'done', '0e30501a-2a7b-4412-8d48-8347bb28c75b', NULL, '2026-11-22T08:51:02.935Z', '2026-11-22T08:51:03.677Z');
INSERT INTO public.controller_steps VALUES ('83969010-5b7e-46d6-abb1-04079a657c5d', 3, 'agents', 'builder', 'create', 'done', 'f23f2235-f861-4afc-8d3e-8787bac8ba09', NULL, '2026-11-22T08:51:02.935Z', '2026-11-22T08:51:03.683Z');
INSERT INTO public.controller_steps VALUES ('83969010-5b7e-46d6-abb1-04079a657c5d', 6, 'workflows', 'hook', 'create', 'done', '1f784eba-3d4f-46de-b8fd-23bbc4b81d74', NULL, '2026-11-22T08:51:03.916Z', '2026-11-22T08:51:04.064Z');
INSERT INTO public.controller_steps VALUES ('7bdb92b3-1e68-43b9-9e4f-b7f2175ebd35', 0, 'agents', 'reader', 'update', 'done', '0e30501a-2a7b-4412-8d48-8347bb28c75b', NULL, '2026-11-22T08:51:04.957Z', '2026-11-22T08:51:04.967Z');


--
-- Data for Name: host_leases; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_leases VALUES ('daemon/orchestrator', 'c5477475-d706-4bae-966b-fde6fb2c478e', 1, '2026-11-22 08:51:05.858003+00', '{"place":"2b09ba04-049d-4ba9-ab07-7246a2492411:65024:2196563","holder":{"pid":2006,"host":"vm","since":"2026-11-22T08:51:00.573Z","version":"0.1.0","data_dir":"/tmp/svc-stand-EXM3D9/data","services":["orchestrator","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:37311","controller":"http://127.0.0.1:34531","notify":"http://127.0.0.1:46455","wrap":"http://127.0.0.1:46687","ask":"http://127.0.0.1:42347","monitor":"http://127.0.0.1:44717"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/controller', 'c5477475-d706-4bae-966b-fde6fb2c478e', 1, '2026-11-22 08:51:05.858024+00', '{"place":"2b09ba04-049d-4ba9-ab07-7246a2492411:65024:2196563","holder":{"pid":2006,"host":"vm","since":"2026-11-22T08:51:00.573Z","version":"0.1.0","data_dir":"/tmp/svc-stand-EXM3D9/data","services":["orchestrator","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:37311","controller":"http://127.0.0.1:34531","notify":"http://127.0.0.1:46455","wrap":"http://127.0.0.1:46687","ask":"http://127.0.0.1:42347","monitor":"http://127.0.0.1:44717"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/notify', 'c5477475-d706-4bae-966b-fde6fb2c478e', 1, '2026-11-22 08:51:05.858027+00', '{"place":"2b09ba04-049d-4ba9-ab07-7246a2492411:65024:2196563","holder":{"pid":2006,"host":"vm","since":"2026-11-22T08:51:00.573Z","version":"0.1.0","data_dir":"/tmp/svc-stand-EXM3D9/data","services":["orchestrator","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:37311","controller":"http://127.0.0.1:34531","notify":"http://127.0.0.1:46455","wrap":"http://127.0.0.1:46687","ask":"http://127.0.0.1:42347","monitor":"http://127.0.0.1:44717"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/wrap', 'c5477475-d706-4bae-966b-fde6fb2c478e', 1, '2026-11-22 08:51:05.858031+00', '{"place":"2b09ba04-049d-4ba9-ab07-7246a2492411:65024:2196563","holder":{"pid":2006,"host":"vm","since":"2026-11-22T08:51:00.573Z","version":"0.1.0","data_dir":"/tmp/svc-stand-EXM3D9/data","services":["orchestrator","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:37311","controller":"http://127.0.0.1:34531","notify":"http://127.0.0.1:46455","wrap":"http://127.0.0.1:46687","ask":"http://127.0.0.1:42347","monitor":"http://127.0.0.1:44717"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/ask', 'c5477475-d706-4bae-966b-fde6fb2c478e', 1, '2026-11-22 08:51:05.858033+00', '{"place":"2b09ba04-049d-4ba9-ab07-7246a2492411:65024:2196563","holder":{"pid":2006,"host":"vm","since":"2026-11-22T08:51:00.573Z","version":"0.1.0","data_dir":"/tmp/svc-stand-EXM3D9/data","services":["orchestrator","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:37311","controller":"http://127.0.0.1:34531","notify":"http://127.0.0.1:46455","wrap":"http://127.0.0.1:46687","ask":"http://127.0.0.1:42347","monitor":"http://127.0.0.1:44717"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/monitor', 'c5477475-d706-4bae-966b-fde6fb2c478e', 1, '2026-11-22 08:51:05.858035+00', '{"place":"2b09ba04-049d-4ba9-ab07-7246a2492411:65024:2196563","holder":{"pid":2006,"host":"vm","since":"2026-11-22T08:51:00.573Z","version":"0.1.0","data_dir":"/tmp/svc-stand-EXM3D9/data","services":["orchestrator","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:37311","controller":"http://127.0.0.1:34531","notify":"http://127.0.0.1:46455","wrap":"http://127.0.0.1:46687","ask":"http://127.0.0.1:42347","monitor":"http://127.0.0.1:44717"},"stopping":false}}');


--
-- Data for Name: host_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_migrations VALUES (1, '001-leases', 1, '2026-11-22 08:51:00.72+00');
INSERT INTO public.host_migrations VALUES (2, '002-lease-holders', 1, '2026-11-22 08:51:00.725+00');


--
-- Data for Name: host_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_migrations_lock VALUES (1, 0);


--
-- Data for Name: monitor_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: monitor_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.monitor_migrations VALUES (1, '001-audit', 1, '2026-11-22 08:51:01.256+00');


--
-- Data for Name: monitor_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.monitor_migrations_lock VALUES (1, 0);


--
-- Data for Name: notify_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_audit VALUES (1, 'operation', 'notify.createNotification ', '', 'svc-monitor', 'fee7292a-6299-4224-85b9-25d4ef618b45', 'POST /notifications', '2026-11-22T08:51:03.922Z');


--
-- Data for Name: notify_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_migrations VALUES (1, '001-notifications', 1, '2026-11-22 08:51:01.144+00');
INSERT INTO public.notify_migrations VALUES (2, '002-audit', 1, '2026-11-22 08:51:01.149+00');
INSERT INTO public.notify_migrations VALUES (3, '003-outbox', 1, '2026-11-22 08:51:01.159+00');


--
-- Data for Name: notify_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_migrations_lock VALUES (1, 0);


--
-- Data for Name: notify_notifications; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_notifications VALUES (1, 'c228b02f-2927-4be4-ad81-60998b0803c8', '{"MonitorService":{"alert_type":"cpu"}}', '"Persistent"', 'Alert: cpu', 'CPU usage 100.0% exceeds threshold 90.0%', 'High', false, 'Pending', NULL, '2026-11-22T08:51:03.819Z', '2026-11-22T08:51:03.819Z', 2, 1, NULL);


--
-- Data for Name: notify_outbox; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_agents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_agents VALUES (3, 'f23f2235-f861-4afc-8d3e-8787bac8ba09', 'builder', 'running', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '851bf2326dbd7e750cfeb8729db39647c926aaa9c1739954180a1a09a82abe29', '/tmp/svc-stand-EXM3D9/data/launch/f23f2235-f861-4afc-8d3e-8787bac8ba09.json', NULL, 1, 0, NULL, '[]', false, 'c8956f99-f7fb-4ee3-8115-3afce142634e', '1.0.0', 1, 0.0008286, 28, '["41aecf3a-c19c-46fa-b3e2-19c3f05b3b0d"]', '2026-11-22T08:51:03.112Z', '2026-11-22T08:51:03.547Z', '[]', false, 6, false);
INSERT INTO public.orchestrator_agents VALUES (4, 'a5243700-4a19-406a-aa5e-9bb90aa1af7b', 'guest', 'running', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:mZKne17C7Ob0OdBUcXY+GefxyZ6FpFpdRLmv8+qrp+s7Vziy5aMMGQ=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"never"}', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:n2tBwFWamJWdF+rp8hasK3bZHQzPUFmlUXwvg1S9vfKEujyP5Di5Uw=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"never"}', '2c20a6a20be5cf977c1cd53bb283786a75613f95606dbbdb325d4c8678254556', '/tmp/svc-stand-EXM3D9/data/launch/a5243700-4a19-406a-aa5e-9bb90aa1af7b.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T08:51:04.332Z', '2026-11-22T08:51:04.368Z', '[]', false, 3, false);
INSERT INTO public.orchestrator_agents VALUES (2, '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'reader', 'running', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"deny_all"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '297880209bc1cfd625f5d1d47f53b5e6f9327f35cac4fb02a3d9a1909b2a594a', '/tmp/svc-stand-EXM3D9/data/launch/0e30501a-2a7b-4412-8d48-8347bb28c75b.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T08:51:03.110Z', '2026-11-22T08:51:05.007Z', '[]', false, 6, false);
INSERT INTO public.orchestrator_agents VALUES (1, '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', 'writer', 'running', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:3kAISgmeEaLqCUulc8Sjwi07IVGuH9P+rqEBz+E7GmG0lom8/T+tbIs="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:yUJknBvF1kwKOdZ4Ra4D4oeITy7HWZIXr/qjbF1g9HCvPrbSETIrvV0="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '68a5c0f3f0bc46e7a98efe1f8322afbb985b9a7d6b0da91feba4a9af66057837', '/tmp/svc-stand-EXM3D9/data/launch/2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8.json', NULL, 1, 0, NULL, '[]', false, 'd1b952ea-3707-4d3d-a4cd-93e4a851b6ae', '1.0.0', 1, 0.00030015, 13, '["a26d6d8e-2ea4-4b49-b765-123a2bc3637d","ac629e4b-28df-40a4-aaf7-9bdebf419a05"]', '2026-11-22T08:51:02.624Z', '2026-11-22T08:51:02.761Z', '[]', false, 8, false);


--
-- Data for Name: orchestrator_approvals; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_approvals VALUES (1, '1be79fef-7edb-4295-b66f-86b540cd1a25', 'f23f2235-f861-4afc-8d3e-8787bac8ba09', 'ab5e897c-1627-4ef3-ba9e-f3e53835707b', 'Bash', '{"command":"echo decided","description":"Run a command"}', 'b6b8c85e66e91e5e66c1557f488ae5b393761b484a83ba6cb6e8605ac58bf275', 1, 1, 'approved', 'once', NULL, 'tester', NULL, '2026-11-22T08:51:05.155Z', '2126-10-29T08:51:05.155Z', '2026-11-22T08:51:05.204Z', '2026-11-22T08:51:05.217Z', NULL, 'c8956f99-f7fb-4ee3-8115-3afce142634e');
INSERT INTO public.orchestrator_approvals VALUES (2, 'cf423ca9-12fb-49b0-954d-6025111893e1', 'f23f2235-f861-4afc-8d3e-8787bac8ba09', '3583e86c-9dce-4dd1-9838-27faabdf96bd', 'Bash', '{"command":"echo pending","description":"Run a command"}', 'ce43324873b0aa3ac7fc5f51cb0a8fa058846e9c55874c880fa296a8b1db9386', 1, 1, 'pending', NULL, NULL, NULL, NULL, '2026-11-22T08:51:05.343Z', '2126-10-29T08:51:05.343Z', NULL, NULL, NULL, 'c8956f99-f7fb-4ee3-8115-3afce142634e');


--
-- Data for Name: orchestrator_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_audit VALUES (1, 'policies', 'ask-first', '', 'controller', '83969010-5b7e-46d6-abb1-04079a657c5d', 'controller', '2026-11-22T08:51:02.625Z');
INSERT INTO public.orchestrator_audit VALUES (2, 'policies', 'readers', '', 'controller', '83969010-5b7e-46d6-abb1-04079a657c5d', 'controller', '2026-11-22T08:51:02.629Z');
INSERT INTO public.orchestrator_audit VALUES (3, 'agents', '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', '', 'controller', '83969010-5b7e-46d6-abb1-04079a657c5d', 'controller', '2026-11-22T08:51:02.638Z');
INSERT INTO public.orchestrator_audit VALUES (4, 'workflows', 'c16ff616-2e87-41c2-905d-58e55e0d68b2', '', 'controller', '83969010-5b7e-46d6-abb1-04079a657c5d', 'controller', '2026-11-22T08:51:03.130Z');
INSERT INTO public.orchestrator_audit VALUES (5, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', '', 'controller', '83969010-5b7e-46d6-abb1-04079a657c5d', 'controller', '2026-11-22T08:51:03.140Z');
INSERT INTO public.orchestrator_audit VALUES (6, 'agents', 'f23f2235-f861-4afc-8d3e-8787bac8ba09', '', 'controller', '83969010-5b7e-46d6-abb1-04079a657c5d', 'controller', '2026-11-22T08:51:03.140Z');
INSERT INTO public.orchestrator_audit VALUES (7, 'workflows', '1f784eba-3d4f-46de-b8fd-23bbc4b81d74', '', 'controller', '83969010-5b7e-46d6-abb1-04079a657c5d', 'controller', '2026-11-22T08:51:04.035Z');
INSERT INTO public.orchestrator_audit VALUES (8, 'agents', 'a5243700-4a19-406a-aa5e-9bb90aa1af7b', '', 'tester', '40c6951a-7c18-4ea3-992f-37155b4c87c4', 'POST /agents', '2026-11-22T08:51:04.338Z');
INSERT INTO public.orchestrator_audit VALUES (9, 'operation', 'orchestrator.triggerWorkflow c16ff616-2e87-41c2-905d-58e55e0d68b2', '', 'tester', '9c4b8e52-2745-4010-82a7-0c338091495e', 'POST /workflows/{id}/trigger', '2026-11-22T08:51:04.593Z');
INSERT INTO public.orchestrator_audit VALUES (10, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.mode', 'tester', 'b4128711-fba5-4d3f-911a-e08e3e3d77d7', 'PUT /agents/{id}/policy', '2026-11-22T08:51:04.726Z');
INSERT INTO public.orchestrator_audit VALUES (11, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.tools[Grep]', 'tester', 'b4128711-fba5-4d3f-911a-e08e3e3d77d7', 'PUT /agents/{id}/policy', '2026-11-22T08:51:04.726Z');
INSERT INTO public.orchestrator_audit VALUES (12, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.tools[Read]', 'tester', 'b4128711-fba5-4d3f-911a-e08e3e3d77d7', 'PUT /agents/{id}/policy', '2026-11-22T08:51:04.726Z');
INSERT INTO public.orchestrator_audit VALUES (13, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.mode', 'controller', '7bdb92b3-1e68-43b9-9e4f-b7f2175ebd35', 'controller', '2026-11-22T08:51:04.960Z');
INSERT INTO public.orchestrator_audit VALUES (14, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.tools[Grep]', 'controller', '7bdb92b3-1e68-43b9-9e4f-b7f2175ebd35', 'controller', '2026-11-22T08:51:04.960Z');
INSERT INTO public.orchestrator_audit VALUES (15, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.tools[Read]', 'controller', '7bdb92b3-1e68-43b9-9e4f-b7f2175ebd35', 'controller', '2026-11-22T08:51:04.960Z');
INSERT INTO public.orchestrator_audit VALUES (16, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.mode', 'tester', '8c72d9e2-4601-401a-b725-d01be1f2a4db', 'PUT /agents/{id}/policy', '2026-11-22T08:51:05.008Z');
INSERT INTO public.orchestrator_audit VALUES (17, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.tools[Grep]', 'tester', '8c72d9e2-4601-401a-b725-d01be1f2a4db', 'PUT /agents/{id}/policy', '2026-11-22T08:51:05.008Z');
INSERT INTO public.orchestrator_audit VALUES (18, 'agents', '0e30501a-2a7b-4412-8d48-8347bb28c75b', 'tool_policy.tools[Read]', 'tester', '8c72d9e2-4601-401a-b725-d01be1f2a4db', 'PUT /agents/{id}/policy', '2026-11-22T08:51:05.008Z');
INSERT INTO public.orchestrator_audit VALUES (19, 'operation', 'orchestrator.sendMessage f23f2235-f861-4afc-8d3e-8787bac8ba09', '', 'tester', '5e422e25-b8c7-40de-9c53-42146cd85999', 'POST /agents/{id}/message', '2026-11-22T08:51:05.098Z');
INSERT INTO public.orchestrator_audit VALUES (20, 'operation', 'orchestrator.approve 1be79fef-7edb-4295-b66f-86b540cd1a25', '', 'tester', '0f2e2760-62b1-4bcf-bc39-90ff1b4cb3ee', 'POST /approvals/{id}/approve', '2026-11-22T08:51:05.216Z');
INSERT INTO public.orchestrator_audit VALUES (21, 'operation', 'orchestrator.sendMessage f23f2235-f861-4afc-8d3e-8787bac8ba09', '', 'tester', '862d0651-a64c-4a73-a46d-f1290fedf9a9', 'POST /agents/{id}/message', '2026-11-22T08:51:05.322Z');
INSERT INTO public.orchestrator_audit VALUES (22, 'operation', 'orchestrator.sendMessage 2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', '', 'tester', 'b65d841c-e2dd-40e9-b4a5-ef4cc8133279', 'POST /agents/{id}/message', '2026-11-22T08:51:05.390Z');
INSERT INTO public.orchestrator_audit VALUES (23, 'operation', 'orchestrator.sendMessage 2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', '', 'tester', 'a7a1ee94-b375-4c5a-aacd-760f957fe2b2', 'POST /agents/{id}/message', '2026-11-22T08:51:05.500Z');
INSERT INTO public.orchestrator_audit VALUES (24, 'operation', 'orchestrator.sendMessage 2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', '', 'tester', '7ae3665d-e13a-472d-8a07-f86f1399f778', 'POST /agents/{id}/message', '2026-11-22T08:51:05.527Z');


--
-- Data for Name: orchestrator_dispatches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_dispatches VALUES (1, '26c1b288-9fc5-487b-abdb-3c66ff00ccfb', 'c16ff616-2e87-41c2-905d-58e55e0d68b2', 'manual:33607ec2-c542-4538-84f9-edf48b55645b', '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', 'Do a task
', 'completed', 'manual', 1, NULL, 'ECHO(1): Do a task
', '{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":2,"total_cost_usd":0.0000915,"num_turns":1,"duration_ms":1,"duration_api_ms":5,"result_count":1}', '2026-11-22T08:51:04.581Z', '2026-11-22T08:51:04.603Z', '2026-11-22T08:51:04.659Z', '{"title":"a task","sourceId":"manual:33607ec2-c542-4538-84f9-edf48b55645b"}', 0);


--
-- Data for Name: orchestrator_firings; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations VALUES (1, '001-core', 1, '2026-11-22 08:51:00.801+00');
INSERT INTO public.orchestrator_migrations VALUES (2, '002-trigger-cursors', 1, '2026-11-22 08:51:00.805+00');
INSERT INTO public.orchestrator_migrations VALUES (3, '003-approval-causes', 1, '2026-11-22 08:51:00.808+00');
INSERT INTO public.orchestrator_migrations VALUES (4, '004-page-indexes', 1, '2026-11-22 08:51:00.812+00');
INSERT INTO public.orchestrator_migrations VALUES (5, '005-bound-decisions', 1, '2026-11-22 08:51:00.815+00');
INSERT INTO public.orchestrator_migrations VALUES (6, '006-restarts', 1, '2026-11-22 08:51:00.817+00');
INSERT INTO public.orchestrator_migrations VALUES (7, '007-version-columns', 1, '2026-11-22 08:51:00.829+00');
INSERT INTO public.orchestrator_migrations VALUES (8, '008-agent-versions', 1, '2026-11-22 08:51:00.831+00');
INSERT INTO public.orchestrator_migrations VALUES (9, '009-durable-tasks', 1, '2026-11-22 08:51:00.842+00');
INSERT INTO public.orchestrator_migrations VALUES (10, '010-queue-tasks', 1, '2026-11-22 08:51:00.852+00');


--
-- Data for Name: orchestrator_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations_lock VALUES (1, 0);


--
-- Data for Name: orchestrator_policies; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_policies VALUES ('ask-first', 'require_approval', '[]', NULL, 1, '2026-11-22T08:51:02.622Z', '2026-11-22T08:51:02.622Z');
INSERT INTO public.orchestrator_policies VALUES ('readers', 'allow_list', '["Grep","Read"]', NULL, 1, '2026-11-22T08:51:02.625Z', '2026-11-22T08:51:02.625Z');


--
-- Data for Name: orchestrator_prompts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_prompts VALUES (1, '1ecae08a-4f05-401a-97bc-50f0ffd4dfd8', '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', 'dispatch', 1, 'Do a task
', '26c1b288-9fc5-487b-abdb-3c66ff00ccfb', NULL, 'done', NULL, '2026-11-22T08:51:04.585Z', '2026-11-22T08:51:04.599Z', '2026-11-22T08:51:04.656Z');
INSERT INTO public.orchestrator_prompts VALUES (2, 'a68e292e-d909-48cc-a6dc-7516b5df3b69', 'f23f2235-f861-4afc-8d3e-8787bac8ba09', 'message', 1, 'USE_TOOL Bash echo decided', NULL, NULL, 'done', NULL, '2026-11-22T08:51:05.079Z', '2026-11-22T08:51:05.089Z', '2026-11-22T08:51:05.282Z');
INSERT INTO public.orchestrator_prompts VALUES (3, 'cd33561e-f737-48dc-930c-7ea52cece5bf', 'f23f2235-f861-4afc-8d3e-8787bac8ba09', 'message', 1, 'USE_TOOL Bash echo pending', NULL, NULL, 'sent', NULL, '2026-11-22T08:51:05.311Z', '2026-11-22T08:51:05.317Z', NULL);
INSERT INTO public.orchestrator_prompts VALUES (4, 'b875aefe-3aa5-4e16-a18c-935bfd09e042', '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', 'message', 1, 'a message that is done', NULL, NULL, 'done', NULL, '2026-11-22T08:51:05.373Z', '2026-11-22T08:51:05.385Z', '2026-11-22T08:51:05.428Z');
INSERT INTO public.orchestrator_prompts VALUES (5, '1378a91a-5c90-4bf7-96e1-6965e1e142a6', '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', 'message', 1, 'SLOW 600000 a turn that is cut short', NULL, NULL, 'sent', NULL, '2026-11-22T08:51:05.463Z', '2026-11-22T08:51:05.498Z', NULL);
INSERT INTO public.orchestrator_prompts VALUES (6, '143cf084-1f7d-4195-bf71-7192d6dab33e', '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', 'message', 1, 'a message that waits', NULL, NULL, 'queued', NULL, '2026-11-22T08:51:05.523Z', NULL, NULL);


--
-- Data for Name: orchestrator_queue_tasks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_sessions VALUES ('0e30501a-2a7b-4412-8d48-8347bb28c75b', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T08:51:03.132Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('a5243700-4a19-406a-aa5e-9bb90aa1af7b', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T08:51:04.337Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('f23f2235-f861-4afc-8d3e-8787bac8ba09', 1, 83, 28, 7, 42, 0.0008286, 2, 164, 28, 1, '2026-11-22T08:51:03.132Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', 1, 21, 13, 3, 11, 0.00030015, 2, 2, 13, 2, '2026-11-22T08:51:02.631Z', NULL);


--
-- Data for Name: orchestrator_trigger_cursors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_workflows; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_workflows VALUES (1, 'c16ff616-2e87-41c2-905d-58e55e0d68b2', 'by-hand', '2f7472fb-b43b-4bd3-8b17-5a4ec27e2af8', '{"type":"manual"}', 'Do {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-22T08:51:03.106Z', '2026-11-22T08:51:03.106Z', NULL);
INSERT INTO public.orchestrator_workflows VALUES (2, '1f784eba-3d4f-46de-b8fd-23bbc4b81d74', 'hook', '0e30501a-2a7b-4412-8d48-8347bb28c75b', '{"type":"webhook","secret":{"$sealed":"sealed:v1:07omlsU7wSSZ+E+Yw/2wy4bBqP4XTPg/DupBH157lMJbDXfR8WHY"}}', 'Read {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-22T08:51:04.021Z', '2026-11-22T08:51:04.021Z', NULL);


--
-- Data for Name: wrap_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: wrap_launches; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: wrap_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wrap_migrations VALUES (1, '001-launches', 1, '2026-11-22 08:51:01.192+00');
INSERT INTO public.wrap_migrations VALUES (2, '002-audit', 1, '2026-11-22 08:51:01.197+00');


--
-- Data for Name: wrap_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wrap_migrations_lock VALUES (1, 0);


--
-- Name: ask_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_audit_seq_seq', 1, false);


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_migrations_id_seq', 2, true);


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_migrations_lock_index_seq', 1, true);


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_questions_seq_seq', 1, false);


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_audit_seq_seq', 1, true);


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_id_seq', 7, true);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_lock_index_seq', 1, true);


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_sent_seq_seq', 1, false);


--
-- Name: host_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.host_migrations_id_seq', 2, true);


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.host_migrations_lock_index_seq', 1, true);


--
-- Name: monitor_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_audit_seq_seq', 1, false);


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_migrations_id_seq', 1, true);


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_migrations_lock_index_seq', 1, true);


--
-- Name: notify_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_audit_seq_seq', 1, true);


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_migrations_id_seq', 3, true);


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_migrations_lock_index_seq', 1, true);


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_notifications_seq_seq', 1, true);


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_outbox_seq_seq', 1, false);


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

SELECT pg_catalog.setval('public.orchestrator_audit_seq_seq', 24, true);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_dispatches_seq_seq', 1, true);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_id_seq', 10, true);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_lock_index_seq', 1, true);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_prompts_seq_seq', 6, true);


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_queue_tasks_seq_seq', 1, false);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_workflows_seq_seq', 2, true);


--
-- Name: wrap_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_audit_seq_seq', 1, false);


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_launches_seq_seq', 1, false);


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_migrations_id_seq', 2, true);


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_migrations_lock_index_seq', 1, true);


--
-- Name: ask_audit ask_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_audit
    ADD CONSTRAINT ask_audit_pkey PRIMARY KEY (seq);


--
-- Name: ask_migrations_lock ask_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations_lock
    ADD CONSTRAINT ask_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: ask_migrations ask_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations
    ADD CONSTRAINT ask_migrations_pkey PRIMARY KEY (id);


--
-- Name: ask_questions ask_questions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions
    ADD CONSTRAINT ask_questions_pkey PRIMARY KEY (seq);


--
-- Name: ask_questions ask_questions_question_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions
    ADD CONSTRAINT ask_questions_question_id_unique UNIQUE (question_id);


--
-- Name: controller_audit controller_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_audit
    ADD CONSTRAINT controller_audit_pkey PRIMARY KEY (seq);


--
-- Name: controller_cursors controller_cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_cursors
    ADD CONSTRAINT controller_cursors_pkey PRIMARY KEY (kind);


--
-- Name: controller_drift controller_drift_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_drift
    ADD CONSTRAINT controller_drift_pkey PRIMARY KEY (id);


--
-- Name: controller_intents controller_intents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_intents
    ADD CONSTRAINT controller_intents_pkey PRIMARY KEY (kind, name);


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
-- Name: controller_sent controller_sent_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sent
    ADD CONSTRAINT controller_sent_pkey PRIMARY KEY (seq);


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
-- Name: monitor_audit monitor_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_audit
    ADD CONSTRAINT monitor_audit_pkey PRIMARY KEY (seq);


--
-- Name: monitor_migrations_lock monitor_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations_lock
    ADD CONSTRAINT monitor_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: monitor_migrations monitor_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations
    ADD CONSTRAINT monitor_migrations_pkey PRIMARY KEY (id);


--
-- Name: notify_audit notify_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_audit
    ADD CONSTRAINT notify_audit_pkey PRIMARY KEY (seq);


--
-- Name: notify_migrations_lock notify_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations_lock
    ADD CONSTRAINT notify_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: notify_migrations notify_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations
    ADD CONSTRAINT notify_migrations_pkey PRIMARY KEY (id);


--
-- Name: notify_notifications notify_notifications_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications
    ADD CONSTRAINT notify_notifications_id_unique UNIQUE (id);


--
-- Name: notify_notifications notify_notifications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications
    ADD CONSTRAINT notify_notifications_pkey PRIMARY KEY (seq);


--
-- Name: notify_outbox notify_outbox_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox
    ADD CONSTRAINT notify_outbox_id_unique UNIQUE (id);


--
-- Name: notify_outbox notify_outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox
    ADD CONSTRAINT notify_outbox_pkey PRIMARY KEY (seq);


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
-- Name: orchestrator_firings orchestrator_firings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_firings
    ADD CONSTRAINT orchestrator_firings_pkey PRIMARY KEY (workflow_id);


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
-- Name: orchestrator_queue_tasks orchestrator_queue_tasks_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks
    ADD CONSTRAINT orchestrator_queue_tasks_id_unique UNIQUE (id);


--
-- Name: orchestrator_queue_tasks orchestrator_queue_tasks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks
    ADD CONSTRAINT orchestrator_queue_tasks_pkey PRIMARY KEY (seq);


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
-- Name: wrap_audit wrap_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_audit
    ADD CONSTRAINT wrap_audit_pkey PRIMARY KEY (seq);


--
-- Name: wrap_launches wrap_launches_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches
    ADD CONSTRAINT wrap_launches_id_unique UNIQUE (id);


--
-- Name: wrap_launches wrap_launches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches
    ADD CONSTRAINT wrap_launches_pkey PRIMARY KEY (seq);


--
-- Name: wrap_migrations_lock wrap_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations_lock
    ADD CONSTRAINT wrap_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: wrap_migrations wrap_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations
    ADD CONSTRAINT wrap_migrations_pkey PRIMARY KEY (id);


--
-- Name: ask_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_audit_kind_resource_id_index ON public.ask_audit USING btree (kind, resource_id);


--
-- Name: ask_questions_status_expires_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_questions_status_expires_at_index ON public.ask_questions USING btree (status, expires_at);


--
-- Name: ask_questions_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_questions_status_seq_index ON public.ask_questions USING btree (status, seq);


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
-- Name: controller_runs_has_steps_started_at_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_has_steps_started_at_id_page ON public.controller_runs USING btree (has_steps, started_at, id);


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
-- Name: controller_sent_source_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_sent_source_index ON public.controller_sent USING btree (source);


--
-- Name: controller_steps_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_steps_kind_name_index ON public.controller_steps USING btree (kind, name);


--
-- Name: monitor_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX monitor_audit_kind_resource_id_index ON public.monitor_audit USING btree (kind, resource_id);


--
-- Name: notify_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_audit_kind_resource_id_index ON public.notify_audit USING btree (kind, resource_id);


--
-- Name: notify_notifications_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_due_at_index ON public.notify_notifications USING btree (due_at);


--
-- Name: notify_notifications_open_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_open_seq_index ON public.notify_notifications USING btree (open, seq);


--
-- Name: notify_notifications_open_urgency_seq_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_open_urgency_seq_due_at_index ON public.notify_notifications USING btree (open, urgency, seq, due_at);


--
-- Name: notify_notifications_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_status_seq_index ON public.notify_notifications USING btree (status, seq);


--
-- Name: notify_outbox_channel_digest_created_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_channel_digest_created_at_index ON public.notify_outbox USING btree (channel, digest, created_at);


--
-- Name: notify_outbox_channel_status_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_channel_status_due_at_index ON public.notify_outbox USING btree (channel, status, due_at);


--
-- Name: notify_outbox_ended_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_ended_at_index ON public.notify_outbox USING btree (ended_at);


--
-- Name: notify_outbox_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_status_seq_index ON public.notify_outbox USING btree (status, seq);


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
-- Name: orchestrator_dispatches_workflow_id_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_status_seq_page ON public.orchestrator_dispatches USING btree (workflow_id, status, seq);


--
-- Name: orchestrator_prompts_agent_id_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_agent_id_status_index ON public.orchestrator_prompts USING btree (agent_id, status);


--
-- Name: orchestrator_prompts_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_status_seq_page ON public.orchestrator_prompts USING btree (status, seq);


--
-- Name: orchestrator_queue_tasks_claim; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_claim ON public.orchestrator_queue_tasks USING btree (queue_name, status, priority DESC, seq);


--
-- Name: orchestrator_queue_tasks_dispatch_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_dispatch_id_index ON public.orchestrator_queue_tasks USING btree (dispatch_id);


--
-- Name: orchestrator_queue_tasks_queue_name_status_visible_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_queue_name_status_visible_at_index ON public.orchestrator_queue_tasks USING btree (queue_name, status, visible_at);


--
-- Name: orchestrator_queue_tasks_status_ended_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_status_ended_at_index ON public.orchestrator_queue_tasks USING btree (status, ended_at);


--
-- Name: orchestrator_workflows_agent_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_workflows_agent_id_index ON public.orchestrator_workflows USING btree (agent_id);


--
-- Name: wrap_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wrap_audit_kind_resource_id_index ON public.wrap_audit USING btree (kind, resource_id);


--
-- Name: wrap_launches_created_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wrap_launches_created_at_index ON public.wrap_launches USING btree (created_at);


--
-- Name: controller_steps controller_steps_run_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_run_id_foreign FOREIGN KEY (run_id) REFERENCES public.controller_runs(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict iI3oJbcVOz00GOsQ5rLo2OnHm2BodUdkPIh3GjZZZ7hfHN7LKruHcc9R84JHyD3

