CREATE TABLE "feature_roles" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"user_id" text NOT NULL,
	"features" text[] NOT NULL,
	"permissions" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_avatars" (
	"user_id" text PRIMARY KEY NOT NULL,
	"image" bytea NOT NULL,
	"hash" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "email_tokens" ADD COLUMN "new_email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "feature_roles" ADD CONSTRAINT "feature_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_avatars" ADD CONSTRAINT "user_avatars_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "feature_roles_user_name_key" ON "feature_roles" USING btree ("user_id",lower("name"));--> statement-breakpoint
-- Role names were unique by their exact spelling until now. A spelling of a built-in role counted as that role wherever
-- rights are decided, so its people get the role itself; of the other twins the older keeps the name.
UPDATE users SET role = built_in.name FROM roles built_in
	WHERE built_in.is_built_in AND lower(users.role) = lower(built_in.name) AND users.role <> built_in.name;--> statement-breakpoint
DELETE FROM roles twin USING roles built_in
	WHERE built_in.is_built_in AND NOT twin.is_built_in AND lower(twin.name) = lower(built_in.name);--> statement-breakpoint
DO $$
DECLARE
	twin record;
	free_name text;
	suffix integer;
BEGIN
	FOR twin IN
		SELECT name FROM (
			SELECT name, row_number() OVER (PARTITION BY lower(name) ORDER BY created_at, name) AS place FROM roles
		) ranked WHERE place > 1
	LOOP
		suffix := 2;
		LOOP
			free_name := twin.name || ' (' || suffix || ')';
			EXIT WHEN NOT EXISTS (SELECT 1 FROM roles WHERE lower(name) = lower(free_name));
			suffix := suffix + 1;
		END LOOP;
		UPDATE roles SET name = free_name WHERE name = twin.name;
	END LOOP;
END $$;--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name_key" ON "roles" USING btree (lower("name"));