# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v seed=SEED -v days=DAYS -f statements.awk
#
# Prints the statements of a shop for sqlite3: most are small, for an order or a
# customer, and some are reports of the whole database. The seed gives the data.
function random(n)
{
	seed = seed * 16807 % 2147483647
	return int(seed / 7) % n + 1
}
function word(	i, text)
{
	for (i = random(3); i >= 0; i--)
		text = text syllable[random(syllables)]
	return text
}
function note(	i, text)
{
	for (i = random(5); i >= 0; i--)
		text = text word() " "
	return text
}
function tables(	i)
{
	print "CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT," \
		" city TEXT, spent REAL DEFAULT 0);"
	print "CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT UNIQUE," \
		" price REAL, stock INT CHECK (stock >= 0));"
	print "CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer INT," \
		" day INT, note TEXT);"
	print "CREATE TABLE item(purchase INT, product INT, pieces INT," \
		" PRIMARY KEY(purchase, product)) WITHOUT ROWID;"
	print "CREATE INDEX purchase_customer ON purchase(customer);"
	print "CREATE INDEX item_product ON item(product);"
	print "CREATE VIEW bill AS SELECT o.id, o.customer, o.day," \
		" sum(i.pieces * p.price) AS total FROM purchase o" \
		" JOIN item i ON i.purchase = o.id" \
		" JOIN product p ON p.id = i.product GROUP BY o.id;"
	print "BEGIN;"
	for (i = 1; i <= customers; i++)
		printf "INSERT INTO customer(id, name, city)" \
			" VALUES(%d, '%s %s', '%s');\n",
			i, word(), word(), word()
	for (i = 1; i <= products; i++)
		printf "INSERT INTO product VALUES(%d, '%s %d', %.2f, %d);\n",
			i, word(), i, random(10000) / 100, 500 + random(500)
	print "COMMIT;"
}
function order(day,	i, n, product)
{
	purchases++
	print "BEGIN;"
	printf "INSERT INTO purchase VALUES(%d, %d, %d, '%s');\n", purchases,
		random(customers), day, note()
	for (i = random(5); i > 0; i--) {
		product = random(products)
		n = random(4)
		printf "INSERT INTO item VALUES(%d, %d, %d)" \
			" ON CONFLICT DO UPDATE" \
			" SET pieces = pieces + excluded.pieces;\n",
			purchases, product, n
		printf "UPDATE product SET stock = CASE WHEN stock < %d" \
			" THEN 900 ELSE stock - %d END WHERE id = %d;\n",
			n, n, product
	}
	printf "UPDATE customer SET spent = spent + (SELECT total FROM bill" \
		" WHERE id = %d) WHERE id = (SELECT customer FROM purchase" \
		" WHERE id = %d);\n", purchases, purchases
	print "COMMIT;"
}
function question(	kind, first)
{
	kind = random(6)
	if (kind == 1)
		printf "SELECT name, city, round(spent, 2) FROM customer" \
			" WHERE id = %d;\n", random(customers)
	else if (kind == 2)
		printf "SELECT p.name, i.pieces, p.price FROM item i" \
			" JOIN product p ON p.id = i.product" \
			" WHERE i.purchase = %d ORDER BY p.name;\n",
			random(purchases)
	else if (kind == 3)
		printf "SELECT o.id, o.day, substr(o.note, 1, 20)" \
			" FROM purchase o WHERE o.customer = %d" \
			" ORDER BY o.day DESC, o.id LIMIT 5;\n",
			random(customers)
	else if (kind == 4) {
		first = random(products)
		printf "SELECT upper(name), stock FROM product" \
			" WHERE id BETWEEN %d AND %d AND stock < 800" \
			" OR id IN (%d);\n", first, first + 10,
			random(products)
	} else if (kind == 5)
		printf "SELECT count(*), coalesce(sum(i.pieces), 0)" \
			" FROM item i JOIN purchase o ON o.id = i.purchase" \
			" WHERE i.product = %d AND o.day > %d;\n",
			random(products), random(days)
	else
		printf "SELECT printf('%%-20s|%%8.2f', name, price)," \
			" length(name) || '/' || instr(name, '%s')" \
			" FROM product WHERE id = %d;\n",
			syllable[random(syllables)], random(products)
}
function reports(day)
{
	print "SELECT city, count(*), round(sum(spent), 2), max(name)" \
		" FROM customer GROUP BY city ORDER BY 3 DESC, 1 LIMIT 10;"
	printf "SELECT c.name, round(sum(b.total), 2) FROM bill b" \
		" JOIN customer c ON c.id = b.customer WHERE b.day = %d" \
		" GROUP BY c.id ORDER BY 2 DESC, c.id LIMIT 5;\n", day
	printf "SELECT count(*) FROM purchase WHERE note LIKE '%%%s%s%%';\n",
		syllable[random(syllables)], syllable[random(syllables)]
	printf "SELECT product, total, rank() OVER (ORDER BY total DESC)" \
		" FROM (SELECT product, sum(pieces) AS total FROM item" \
		" WHERE purchase > %d GROUP BY product)" \
		" ORDER BY total DESC, product LIMIT 5;\n", purchases - 300
	print "SELECT count(DISTINCT substr(name, 1, 4))," \
		" group_concat(DISTINCT lower(substr(city, 1, 2)))" \
		" FROM customer;"
	printf "DELETE FROM item WHERE purchase IN" \
		" (SELECT id FROM purchase WHERE day < %d);\n", day - 4
	printf "DELETE FROM purchase WHERE day < %d;\n", day - 4
}
BEGIN {
	syllables = split("ba ko ri tu len mos qua shi ver dan el um", syllable)
	customers = 400
	products = 300
	tables()
	for (day = 1; day <= days; day++) {
		for (i = 1; i <= 200; i++) {
			order(day)
			for (j = 1; j <= 3; j++)
				question()
		}
		reports(day)
	}
}
